// @ts-check
// Another server of Spark Connect than Spark's: Sail, which is a process without a JVM and starts at once.
import { resources } from "@kindling/kube";
import { amount } from "../harness/environment.mjs";
import { median } from "../harness/figures.mjs";
import { atMost, leftOut } from "../harness/judge.mjs";
import { sleep } from "../harness/wait.mjs";
import { listens } from "./bare-driver.mjs";
import { python } from "./python.mjs";
import { NAMESPACE, withService } from "./with-service.mjs";

const IMAGE = process.env["KINDLING_BENCH_SAIL_IMAGE"];
const PORT = 50_051;
const COMMAND = ["sail", "spark", "server", "--ip", "0.0.0.0", "--port", String(PORT)];
const TURNS = 20;

/** @param {string} image */
const profileOf = (image) => `profiles:
  sail:
    namespace: ${NAMESPACE}
    image: ${image}
    command: ${JSON.stringify(COMMAND)}
    port: ${PORT}
    sharing: session
    warm: 2
`;

/**
 * From `remote()` to the first count with a Sail that waits, by turns with one that is reached directly.
 *
 * @param {import("./with-service.mjs").Context} context
 * @returns {Promise<import("../harness/judge.mjs").Row[]>}
 */
export async function sail(context) {
  if (IMAGE === undefined) return [leftOut("Sail", "`KINDLING_BENCH_SAIL_IMAGE` names no image")];
  const bare = await bareSail(context.client, IMAGE);
  try {
    return await withService(context, { profiles: profileOf(IMAGE) }, async ({ remote, caFile, warmed }) => {
      /** @type {{ straight: number[], through: number[] }} */
      const { straight, through } = { straight: [], through: [] };
      for (let turn = 0; turn < amount("KINDLING_BENCH_TURNS", TURNS); turn += 1) {
        straight.push(Number(await python("first_count.py", [`sc://${bare.host}:${PORT}`, "imported"])));
        while (warmed() <= turn) await sleep(100);
        through.push(Number(await python("first_count.py", [remote, "imported"], caFile)));
      }
      return [
        {
          what: `remote() to the first count with Sail directly, median of ${straight.length}`,
          found: `${median(straight).toFixed(2)} s`,
        },
        atMost(
          "the same through kindling-connect, with a Sail that waits",
          Number(median(through).toFixed(2)),
          "s",
          0.3,
        ),
      ];
    });
  } finally {
    await bare.remove();
  }
}

/** @param {import("@kindling/kube").KubeClient} client @param {string} image */
async function bareSail(client, image) {
  const name = `bare-sail-${Date.now()}`;
  const remove = () => client.delete(resources.pods, name, { namespace: NAMESPACE });
  await client.create(
    resources.pods,
    /** @type {import("kubernetes-types/core/v1.js").Pod} */ ({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name, namespace: NAMESPACE },
      spec: { containers: [{ name: "server", image, command: COMMAND }], automountServiceAccountToken: false },
    }),
    { namespace: NAMESPACE },
  );
  for (;;) {
    const { status } = await client.get(resources.pods, name, { namespace: NAMESPACE });
    if (status?.podIP !== undefined && (await listens(status.podIP, PORT))) return { host: status.podIP, remove };
    if (status?.phase === "Failed") throw new Error(`${name} has ended`);
    await sleep(100);
  }
}
