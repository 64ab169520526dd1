import { expect, it, onTestFinished } from "vitest";
import { connectStaging, type StagingClient } from "../../src/index.ts";
import { sendProblem, stubServer } from "../support/stub-server.ts";

type Refusing = (client: StagingClient) => Promise<unknown>;

async function hintOf(status: number, problem: string | undefined, ask: Refusing): Promise<string | undefined> {
  const { uri } = await stubServer((_request, response) => {
    if (problem === undefined) response.writeHead(status).end("<html>");
    else sendProblem(response, status, problem);
  });
  const client = connectStaging({ uri, retry: { attempts: 1 } });
  onTestFinished(() => client.close());
  return await ask(client).then(
    () => expect.unreachable("it was refused"),
    (error: unknown) => (error as { hint?: string }).hint,
  );
}

const REFUSALS: [string, number, string | undefined, Refusing, unknown][] = [
  ["a collection", 403, "forbidden", (client) => client.collect(), expect.stringContaining("administrator")],
  [
    "a lease",
    403,
    "forbidden",
    (client) => client.openLease({ namespace: "ns" }),
    expect.stringContaining("right to upload"),
  ],
  ["a bundle that is no more", 404, "not-found", (client) => client.deleteBundle("b"), undefined],
  [
    "anything by another server",
    404,
    undefined,
    (client) => client.deleteBundle("b"),
    expect.stringContaining("address"),
  ],
  ["wrong credentials", 401, "unauthorized", (client) => client.storageStatus(), expect.stringContaining("token")],
];

it.each(REFUSALS)("says what to do about the refusal of %s", async (_what, status, problem, ask, wanted) => {
  expect(await hintOf(status, problem, ask)).toEqual(wanted);
});
