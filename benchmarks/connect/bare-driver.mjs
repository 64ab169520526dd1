// @ts-check
import { connect } from "node:net";
import { resources } from "@kindling/kube";
import { systemOutside } from "@kindling/outside";
import { submit } from "@kindling/submit";
import { sleep } from "../harness/wait.mjs";

const PORT = 15_002;

/**
 * Submits a Spark Connect server without kindling-connect, and waits until it accepts connections.
 *
 * @param {import("@kindling/kube").KubeClient} client
 * @param {string} namespace
 * @param {Readonly<Record<string, string>>} conf
 */
export async function bareDriver(client, namespace, conf) {
  const { application } = await submit(
    {
      application: { resource: "spark-internal", mainClass: "org.apache.spark.sql.connect.service.SparkConnectServer" },
      ...{ name: "bare", namespace, resourceNamePrefix: `bare-${Date.now()}` },
      conf: { ...conf, "spark.kindling.submit.server": "true" },
    },
    { access: "nothing", client, wait: false, outside: systemOutside() },
  );
  const pod = application.driverPod;
  const remove = () => client.delete(resources.pods, pod, { namespace });
  for (;;) {
    const { status } = await client.get(resources.pods, pod, { namespace });
    if (status?.podIP !== undefined && (await listens(status.podIP, PORT)))
      return { host: status.podIP, port: PORT, remove };
    if (status?.phase === "Failed" || status?.phase === "Succeeded") throw new Error(`${pod} has ended`);
    await sleep(50);
  }
}

/**
 * Whether a server accepts connections.
 *
 * @param {string} host
 * @param {number} port
 * @returns {Promise<boolean>}
 */
export function listens(host, port) {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 1000 });
    const end = (/** @type {boolean} */ there) => {
      socket.destroy();
      resolve(there);
    };
    socket.on("connect", () => end(true));
    socket.on("error", () => end(false));
    socket.on("timeout", () => end(false));
  });
}
