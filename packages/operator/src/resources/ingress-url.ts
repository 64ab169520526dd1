import { REDACTED, withoutUriSecrets } from "@kindling/core-spec";
import type { SparkApplication } from "@kindling/spark-application";
import { parseUrl, type ParsedUrl } from "./parse-url.ts";
import { PreparationError } from "./preparation-error.ts";

/**
 * Where an application is reached from outside (stock's `getDriverIngressURL`): `{{$appName}}`, `{{$appNamespace}}` and
 * `{{$appId}}` are filled in, and a text without a scheme becomes an http URL.
 *
 * @param failure the beginning of stock's message about a bad format
 * @throws PreparationError if the result is no URL
 */
export function ingressUrl(
  format: string,
  { metadata: { name, namespace } }: SparkApplication,
  sparkApplicationId: string,
  failure: string,
): ParsedUrl {
  const filled = format
    .replace(/\{\{\s*\$appName\s*\}\}/g, () => name)
    .replace(/\{\{\s*\$appNamespace\s*\}\}/g, () => namespace)
    .replace(/\{\{\s*\$appId\s*\}\}/g, () => sparkApplicationId);
  const given = parsed(filled, failure);
  return given.scheme === "" ? parsed(`http://${filled}`, failure) : given;
}

function parsed(text: string, failure: string): ParsedUrl {
  const url = parseUrl(text);
  if (!("fault" in url)) return url;
  throw new PreparationError(
    `${failure}: parse ${JSON.stringify(withoutUriSecrets(text, REDACTED))}: ${url.fault}`,
    "write it as host/path or https://host/path, with {{$appName}}, {{$appNamespace}} and {{$appId}} where they belong",
  );
}
