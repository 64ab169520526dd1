// @ts-check
// Sends submissions to the service, over connections that are kept open.
import { fork } from "node:child_process";
import { once } from "node:events";
import http from "node:http";
import { fileURLToPath } from "node:url";
import { ENVIRONMENT } from "../harness/environment.mjs";
import { end } from "../harness/processes.mjs";
import { sleep } from "../harness/wait.mjs";

const SERVICE = fileURLToPath(new URL("service.mjs", import.meta.url));

/**
 * Starts the service; its log goes to stderr.
 *
 * @param {string} namespace
 */
export async function startService(namespace) {
  const child = fork(SERVICE, [namespace], { env: ENVIRONMENT, execArgv: ["--expose-gc"] });
  const exited = once(child, "exit").then(([code]) => {
    throw new Error(`the service ended with ${code}`);
  });
  exited.catch(() => undefined);
  const [ready] = await Promise.race([once(child, "message"), exited]);
  const { uri } = /** @type {import("./service.mjs").Ready} */ (ready);
  return {
    uri,
    /** The memory that it keeps and the memory that it uses in total, in MiB; and its processor time. */
    async figures() {
      child.send("figures");
      const [figures] = await once(child, "message");
      return /** @type {import("./service.mjs").Figures} */ (figures);
    },
    /** @param {NodeJS.Signals} signal */
    end: (signal) => end(child, signal),
  };
}

/**
 * An application with a driver that no scheduler handles, so that only submissions are measured.
 *
 * @param {string} namespace
 * @param {string} submissionId
 */
function applicationOf(namespace, submissionId) {
  return {
    submissionId,
    namespace,
    name: "benchmark",
    application: {
      resource: "local:///opt/spark/examples/jars/spark-examples.jar",
      mainClass: "org.apache.spark.examples.SparkPi",
      arguments: ["1000"],
    },
    conf: CONF,
  };
}

/** Used as members of `conf`, and after `--conf` of spark-submit. */
export const CONF = {
  "spark.kubernetes.container.image": "apache/spark:3.5.9",
  "spark.kubernetes.scheduler.name": "nobody",
  "spark.executor.instances": "2",
  "spark.kubernetes.authenticate.driver.serviceAccountName": "spark",
};

const AGAIN_MS = 200;
const OVERLOADED = 503;
const NO_ANSWER = 0;

/**
 * Sends submissions, several at a time, until each is answered.
 *
 * @param {string} uri of the service
 * @param {string} namespace
 * @param {readonly string[]} ids
 * @param {object} [options]
 * @param {number} [options.atOnce]
 * @param {boolean} [options.again] whether a submission without an answer is sent again
 * @param {(status: number) => void} [options.onAnswer] called with the status of each answer
 * @returns the statuses, in the order of the ids; {@link NO_ANSWER} if there was no answer
 */
export async function submitAll(uri, namespace, ids, { atOnce = 16, again = true, onAnswer = () => {} } = {}) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: atOnce });
  /** @type {number[]} */
  const statuses = [];
  const rest = ids.entries();
  /** @param {number} status */
  const isFinal = (status) => status !== OVERLOADED && !(again && status === NO_ANSWER);
  const lane = async () => {
    for (const [index, id] of rest) {
      let status = await send(uri, agent, namespace, id);
      while (!isFinal(status)) {
        await sleep(AGAIN_MS);
        status = await send(uri, agent, namespace, id);
      }
      statuses[index] = status;
      onAnswer(status);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  agent.destroy();
  return statuses;
}

/**
 * @param {string} uri
 * @param {http.Agent} agent
 * @param {string} namespace
 * @param {string} id
 */
async function send(uri, agent, namespace, id) {
  try {
    return await post(uri, agent, applicationOf(namespace, id));
  } catch (error) {
    // If a submission is refused, the benchmark itself is wrong.
    if (error instanceof Refusal) throw error;
    return NO_ANSWER;
  }
}

class Refusal extends Error {}

/**
 * @param {string} uri
 * @param {http.Agent} agent
 * @param {object} body
 * @returns {Promise<number>} the status
 */
async function post(uri, agent, body) {
  const text = JSON.stringify(body);
  return await new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
    const request = http.request(new URL("api/v1/submissions", uri), { agent, method: "POST", headers }, (answer) => {
      let said = "";
      answer.setEncoding("utf8").on("data", (chunk) => (said += chunk));
      answer.on("error", reject);
      answer.on("end", () => {
        const { statusCode = NO_ANSWER } = answer;
        if (statusCode >= 400 && statusCode !== OVERLOADED) reject(new Refusal(`${statusCode}: ${said}`));
        else resolve(statusCode);
      });
    });
    request.on("error", reject).end(text);
  });
}
