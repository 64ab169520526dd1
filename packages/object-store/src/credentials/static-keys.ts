import type { AwsKeys, KeySource } from "./aws-keys.ts";

/**
 * Keys that the caller has itself.
 *
 * @param keys `undefined` if the caller has none; then the next source is used
 */
export function staticKeys(name: string, keys: AwsKeys | undefined): KeySource {
  return { name, lend: () => Promise.resolve(keys && { keys, seconds: undefined }) };
}
