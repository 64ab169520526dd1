import type { KeySource } from "./aws-keys.ts";

/**
 * `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and, for temporary keys, `AWS_SESSION_TOKEN`. An empty variable counts as
 * not set.
 */
export const environmentKeys: KeySource = {
  name: "the environment",
  lend({ env }) {
    const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
    if (!accessKeyId || !secretAccessKey) return Promise.resolve(undefined);
    const sessionToken = env["AWS_SESSION_TOKEN"] || undefined;
    return Promise.resolve({ keys: { accessKeyId, secretAccessKey, sessionToken }, seconds: undefined });
  },
};
