import { amazonHost } from "../amazon-host.ts";
import { ObjectStoreError } from "../object-store-error.ts";
import { textOf } from "../xml.ts";
import type { KeySource } from "./aws-keys.ts";
import { askForKeys, refusedKeys, secondsUntil } from "./ask-for-keys.ts";
import { readToken } from "./read-token.ts";

/** Keys of a role for the service account's token (AWS STS, AssumeRoleWithWebIdentity), which needs no signature. */
export function webIdentityKeys(region: string, sessionName: string): KeySource {
  return {
    name: "a web identity",
    async lend(context) {
      const { env } = context;
      const { AWS_ROLE_ARN: role, AWS_WEB_IDENTITY_TOKEN_FILE: tokenFile } = env;
      if (!role || !tokenFile) return undefined;
      const form = new URLSearchParams({
        Action: "AssumeRoleWithWebIdentity",
        Version: "2011-06-15",
        RoleArn: role,
        RoleSessionName: env["AWS_ROLE_SESSION_NAME"] || sessionName,
        WebIdentityToken: await readToken("AWS_WEB_IDENTITY_TOKEN_FILE", tokenFile, context),
      });
      const { url, status, text, date } = await askForKeys(context, {
        method: "POST",
        url: serviceUrl(env["AWS_ENDPOINT_URL_STS"] || env["AWS_ENDPOINT_URL"], region),
        headers: { "content-type": "application/x-www-form-urlencoded", accept: "text/xml" },
        body: Buffer.from(form.toString()),
      });
      const [accessKeyId, secretAccessKey] = [textOf(text, "AccessKeyId"), textOf(text, "SecretAccessKey")];
      const sessionToken = textOf(text, "SessionToken");
      if (status === 200 && accessKeyId && secretAccessKey && sessionToken) {
        const seconds = secondsUntil(textOf(text, "Expiration"), date, context.clock);
        return { keys: { accessKeyId, secretAccessKey, sessionToken }, seconds };
      }
      throw refusedKeys(context, `${url.host} gives no keys for the role`, status, {
        message: textOf(text, "Message"),
        code: textOf(text, "Code"),
        hint: "check AWS_ROLE_ARN, and that the role trusts this service account",
      });
    },
  };
}

function serviceUrl(given: string | undefined, region: string): URL {
  const address = given ?? `https://${amazonHost("sts", region)}/`;
  if (URL.canParse(address)) return new URL(address);
  throw new ObjectStoreError("settings", "AWS_ENDPOINT_URL_STS is no URI");
}
