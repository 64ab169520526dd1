import { onTestFinished } from "vitest";
import { loadConfig } from "../../src/config/load-config.ts";
import type { ServerConfig } from "../../src/config/server-config.ts";
import { openStorage } from "../../src/stores/stores.ts";
import type { Storage } from "../../src/stores/store-driver.ts";
import { FAKE_BUCKET } from "@kindling/test-kit/fake-s3";
import { storeContext } from "./store-context.ts";

export const S3_ENV = { AWS_ACCESS_KEY_ID: "access", AWS_SECRET_ACCESS_KEY: "secret-of-the-test" };

export function s3Settings(endpoint: string, settings: Partial<ServerConfig> = {}): Partial<ServerConfig> {
  return {
    "store.kind": "s3",
    "store.s3.endpoint": endpoint,
    "store.s3.bucket": FAKE_BUCKET,
    "store.s3.prefix": "some/where",
    // The smallest size that S3 accepts, so that tests need not send much.
    "store.s3.partSize": 5 * 1024 * 1024,
    ...settings,
  };
}

export async function s3Storage(endpoint: string, settings: Partial<ServerConfig> = {}): Promise<Storage> {
  const declared = loadConfig({ args: ["--listen-host", "127.0.0.1"], env: {}, readFile: () => "" });
  const config = { ...declared, ...s3Settings(endpoint, settings) };
  const storage = await openStorage("s3", config, storeContext({ env: S3_ENV }));
  onTestFinished(() => storage.close());
  return storage;
}
