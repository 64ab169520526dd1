// @ts-check
// The honest user: a session with a secret in a view, in a setting, in a file and in an error, whose queries are right all the time.
import { createHash, randomUUID } from "node:crypto";
import { ConnectClient } from "@kindling/test-kit/connect-client";
import { framed } from "@kindling/test-kit/connect-messages";
import { sleep } from "../../harness/wait.mjs";
import * as requests from "./requests.mjs";

/** Spark hides settings with "secret" in their names. */
export const SECRET_KEY = "spark.kindling.benchmark.word";
/** As `google.rpc.ErrorInfo` has it. */
const ERROR_ID = /errorId..([0-9a-f-]{36})/s;
const START_TRIES = 20;
const BETWEEN_MS = 300;
const QUERY = "SELECT secret, java_method('java.lang.Thread', 'sleep', 600L) FROM secret";

/**
 * @typedef {object} Victim
 * @property {string} token
 * @property {string} session
 * @property {string} marker the secret, which nobody else may see
 * @property {string} artifact the name of a file of this session
 * @property {() => string} errorId of an error with the secret in it, whose details nobody has asked for so far
 * @property {() => string} operation the ID of the operation that runs, or ran last
 * @property {() => Promise<{ right: number, failed: number, slowest: number, seconds: number }>} stop ends its queries
 */

/**
 * Opens the session, and begins its queries.
 *
 * @param {{ port: number, ca: string, token: string }} service
 * @returns {Promise<Victim>}
 */
export async function openVictim({ port, ca, token }) {
  const client = new ConnectClient(`https://localhost:${port}`, { ca, token });
  const [session, marker] = [randomUUID(), `marker-${randomUUID()}`];
  const artifact = `cache/${createHash("sha256").update(marker).digest("hex")}`;
  /** @param {string} method @param {Buffer} message */
  const call = (method, message) => client.call(method, { body: framed(message) });
  /** @param {string} method @param {Buffer} message */
  const must = async (method, message) => {
    const ended = await call(method, message);
    if (ended.status !== "0") throw new Error(`${method} ended with ${ended.status}: ${ended.message}`);
    return ended;
  };

  const create = requests.sql(session, `CREATE TEMPORARY VIEW secret AS SELECT '${marker}' AS secret`);
  for (let count = 0; (await call("Config", requests.getAllConfig(session))).status === "14" && count < START_TRIES;)
    count += 1;
  await must("ExecutePlan", create);
  await must("Config", requests.setConfig(session, SECRET_KEY, marker));
  await must("AddArtifacts", requests.addArtifact(session, artifact, marker));
  const fail = async () => {
    const failed = await call("ExecutePlan", requests.sql(session, `SELECT raise_error('${marker}')`));
    return ERROR_ID.exec(failed.details)?.[1] ?? "";
  };
  let errorId = await fail();

  const found = { right: 0, failed: 0, slowest: 0 };
  const since = performance.now();
  let operation = randomUUID();
  const over = new AbortController();

  /** What is wrong in this turn. */
  const turn = async () => {
    operation = randomUUID();
    const began = performance.now();
    const answer = await call("ExecutePlan", requests.operationOf(session, QUERY, operation));
    found.slowest = Math.max(found.slowest, performance.now() - began);
    if (answer.status !== "0") return `the query ended with ${answer.status}: ${answer.message}`;
    if (!answer.body.includes(marker)) return "the query had another result";
    await must("ReleaseExecute", requests.release(session, operation));
    const setting = await must("Config", requests.getConfig(session, SECRET_KEY));
    if (!setting.body.includes(marker)) return "the setting has changed";
    const file = await must("ArtifactStatus", requests.artifactStatus(session, artifact));
    if (!file.body.includes(Buffer.from([8, 1]))) return "the file is gone";
    // Spark tells the details of an error once.
    const details = await must("FetchErrorDetails", requests.errorDetails(session, errorId));
    errorId = await fail();
    return details.body.includes(marker) ? undefined : "the details of the error are gone";
  };

  const queries = (async () => {
    while (!over.signal.aborted) {
      const fault = await turn().catch((/** @type {unknown} */ error) => String(error));
      if (fault === undefined) found.right += 1;
      else {
        found.failed += 1;
        process.stderr.write(`the honest user: ${fault}\n`);
      }
      await sleep(BETWEEN_MS);
    }
  })();

  return {
    ...{ token, session, marker, artifact },
    errorId: () => errorId,
    operation: () => operation,
    async stop() {
      over.abort();
      await queries;
      client.close();
      return { ...found, seconds: (performance.now() - since) / 1000 };
    },
  };
}
