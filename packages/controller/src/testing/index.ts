import { createKubeClient, type KubeClient } from "@kindling/kube";
import { ManualClock, type Outside, systemRandom } from "@kindling/outside";
import { openTerm, type Term } from "../manager.ts";
import type { ControllerLog } from "../workers.ts";

/** A cluster that was started for a test: a cluster of `@kindling/devcluster` with pods that have no processes. */
export interface TestedCluster {
  readonly url: string;
  stop(): Promise<void>;
}

/** A clock that the test moves forward, and randomness. */
type TestOutside = Pick<Outside, "random"> & { readonly clock: ManualClock };

/** A term with a cluster, on a clock that the test moves forward. */
export interface TestTerm<C extends TestedCluster> extends Term, TestOutside {
  readonly cluster: C;
  /** What was logged, as `level message`. */
  readonly lines: readonly string[];
  readonly log: ControllerLog;
  /**
   * Moves time forward in steps of a tenth of a second, with all that happens in them, until `look` no longer throws.
   *
   * @throws the error of the last `look`, if a minute of real time has passed
   */
  until<T>(look: () => T | Promise<T>): Promise<T>;
  /** Ends the term, and then the cluster. */
  end(): Promise<void>;
}

const STEP_MS = 100;
const PATIENCE_MS = 60_000;

/**
 * Begins a term for a test, in a cluster of its own.
 *
 * @param startCluster starts a cluster on the given clock that serves everybody over plain HTTP
 */
export async function startTestTerm<C extends TestedCluster>(
  startCluster: (outside: TestOutside) => Promise<C>,
): Promise<TestTerm<C>> {
  const outside = { clock: new ManualClock(), random: systemRandom() };
  const { clock } = outside;
  const cluster = await startCluster(outside);
  const client = clientOf(cluster);
  const lines: string[] = [];
  const line = (level: string) => (message: string) => void lines.push(`${level} ${message}`);
  const log = { debug: line("debug"), info: line("info"), warn: line("warn"), error: line("error") };
  const term = openTerm({ ...outside, client, log });
  return {
    ...term,
    ...outside,
    ...{ cluster, lines, log },
    async until(look) {
      const end = performance.now() + PATIENCE_MS;
      for (;;) {
        try {
          return await look();
        } catch (error) {
          if (performance.now() > end) throw error;
          await clock.advance(STEP_MS);
        }
      }
    },
    async end() {
      await term.end();
      client.close();
      await cluster.stop();
    },
  };
}

function clientOf({ url }: TestedCluster): KubeClient {
  return createKubeClient({
    ...{ origin: "options", server: url, namespace: "default", contextName: undefined, proxy: undefined },
    tls: { ca: undefined, servername: undefined, insecureSkipVerify: false },
    credentials: { current: () => ({}), reject: () => undefined, description: "none: everybody is the administrator" },
  });
}
