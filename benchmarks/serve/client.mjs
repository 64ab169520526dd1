// Sends submissions to the service, over connections that are kept open.
import { fork } from "node:child_process";
import { once } from "node:events";
import http from "node:http";
import { fileURLToPath } from "node:url";

const SERVICE = fileURLToPath(new URL("service.mjs", import.meta.url));
const { NODE_EXTRA_CA_CERTS: _, ...ENVIRONMENT } = process.env;

/** Starts the service; its log goes to stderr. */
export async function startService(namespace) {
  const child = fork(SERVICE, [namespace], { env: ENVIRONMENT, execArgv: ["--expose-gc"] });
  const [{ uri }] = await Promise.race([
    once(child, "message"),
    once(child, "exit").then(([code]) => {
      throw new Error(`the service ended with ${code}`);
    }),
  ]);
  return {
    uri,
    /** What it keeps of memory, and has taken of it, in MiB; and its processor time. */
    async figures() {
      child.send("figures");
      const [figures] = await once(child, "message");
      return figures;
    },
    async end(signal) {
      const ended = once(child, "exit");
      child.kill(signal);
      await ended;
    },
  };
}

/** An application whose driver no scheduler looks at, so that only submissions are measured. */
export function applicationOf(namespace, submissionId) {
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

/** As members of `conf`, and behind `--conf` of spark-submit. */
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
 * Sends submissions, so many at a time, until each is answered.
 *
 * @param options.again whether a submission without an answer is sent again
 * @param options.onAnswer told of each answer
 * @returns the statuses, in the order of the ids; {@link NO_ANSWER} for none
 */
export async function submitAll(uri, namespace, ids, { atOnce = 16, again = true, onAnswer = () => {} } = {}) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: atOnce });
  const statuses = [];
  const rest = ids.entries();
  const isFinal = (status) => status !== OVERLOADED && !(again && status === NO_ANSWER);
  const lane = async () => {
    for (const [index, id] of rest) {
      let status = await send(uri, agent, namespace, id);
      while (!isFinal(status)) {
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
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

async function send(uri, agent, namespace, id) {
  try {
    return await post(uri, agent, applicationOf(namespace, id));
  } catch (error) {
    // A submission that was refused is a fault of the benchmark.
    if (error instanceof Refusal) throw error;
    return NO_ANSWER;
  }
}

class Refusal extends Error {}

async function post(uri, agent, body) {
  const text = JSON.stringify(body);
  return await new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
    const request = http.request(new URL("api/v1/submissions", uri), { agent, method: "POST", headers }, (answer) => {
      let said = "";
      answer.setEncoding("utf8").on("data", (chunk) => (said += chunk));
      answer.on("error", reject);
      answer.on("end", () => {
        const { statusCode } = answer;
        if (statusCode >= 400 && statusCode !== OVERLOADED) reject(new Refusal(`${statusCode}: ${said}`));
        else resolve(statusCode);
      });
    });
    request.on("error", reject).end(text);
  });
}
