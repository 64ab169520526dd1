// @ts-check
import { resources } from "@kindling/kube";
import { sleep } from "../../harness/wait.mjs";

const KILL_GATEWAY_MS = 60_000;
const AWAY_MS = 2_000;
const EXECUTORS = "spark-role=executor";

/**
 * @param {number} least
 * @param {number} most
 */
const between = (least, most) => least + Math.random() * (most - least);

/**
 * Breaks a gateway, its connection to the API server, and executors, until it is stopped.
 *
 * @param {object} options
 * @param {import("../gateway-process.mjs").GatewayProcess} options.gateway
 * @param {import("./faulty-proxy.mjs").FaultyProxy} options.proxy
 * @param {import("@kindling/kube").KubeClient} options.client
 * @param {string} options.namespace
 * @returns how often it has done each of them, and `stop`, after which everything works again
 */
export function makeMischief({ gateway, proxy, client, namespace }) {
  const done = { kills: 0, faults: 0, deaths: 0 };
  const over = new AbortController();

  async function killGateway() {
    for (let last = performance.now(); !over.signal.aborted; await sleep(250)) {
      if (performance.now() - last < KILL_GATEWAY_MS) continue;
      last = performance.now();
      await gateway.kill();
      done.kills++;
      await sleep(AWAY_MS);
      await gateway.start();
    }
  }

  async function breakConnections() {
    /** @type {readonly (() => void | Promise<void>)[]} */
    const kinds = [() => proxy.faults.cut(), () => proxy.faults.refuse(3_000), () => proxy.faults.stall(3_000)];
    for (let next = between(5_000, 20_000); !over.signal.aborted; next -= 250) {
      await sleep(250);
      if (next > 0) continue;
      next = between(5_000, 20_000);
      await kinds[done.faults++ % kinds.length]?.();
    }
  }

  async function killExecutors() {
    for (let next = between(10_000, 40_000); !over.signal.aborted; next -= 250) {
      await sleep(250);
      if (next > 0) continue;
      next = between(10_000, 40_000);
      const { items } = await client.listAll(resources.pods, { namespace, labelSelector: EXECUTORS });
      const running = items.filter(({ status }) => status?.phase === "Running");
      const victim = running[Math.floor(Math.random() * running.length)];
      if (victim?.metadata?.name === undefined) continue;
      await client.delete(resources.pods, victim.metadata.name, { namespace, gracePeriodSeconds: 0 });
      done.deaths++;
    }
  }

  const all = Promise.all([killGateway(), breakConnections(), killExecutors()]);
  all.catch(() => undefined);
  return {
    done,
    async stop() {
      over.abort();
      await all;
    },
  };
}
