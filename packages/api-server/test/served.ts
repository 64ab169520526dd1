import { type ApiClient as Client, ApiClient } from "@kindling/test-kit/api-client";
import { onTestFinished } from "vitest";
import { ApiServer, type ServiceOptions } from "../src/index.ts";

/** Serves until the test ends; returns a function that creates a client with a token. */
export async function served(options: ServiceOptions): Promise<(token?: string) => Client> {
  const server = new ApiServer(options);
  const port = await server.listen();
  onTestFinished(() => server.close());
  return (token) => {
    const client = new ApiClient({ url: new URL(`http://127.0.0.1:${port}`), token });
    onTestFinished(() => client.close());
    return client;
  };
}
