import { httpTransport, withoutProxy } from "@kindling/http";
import { systemClock, type Env } from "@kindling/outside";
import { onTestFinished } from "vitest";
import type { CredentialsContext } from "../../src/credentials/aws-keys.ts";

export interface TestContext extends CredentialsContext {
  /** The secrets that were passed to `hide`. */
  readonly hidden: readonly string[];
}

/** An outside world with these variables and files. */
export function credentialsContext(env: Env, files: Readonly<Record<string, string>> = {}): TestContext {
  const transport = httpTransport({
    clock: systemClock,
    tls: {},
    proxies: withoutProxy,
    connectTimeoutMs: 10_000,
    stallTimeoutMs: 10_000,
    answerTimeoutMs: 10_000,
  });
  onTestFinished(() => transport.close());
  const hidden: string[] = [];
  return {
    clock: systemClock,
    env,
    transport,
    readFile: (path) => Promise.resolve(files[path]),
    hide: (secret) => void hidden.push(secret),
    hidden,
  };
}
