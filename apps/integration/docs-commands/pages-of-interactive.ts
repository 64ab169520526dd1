import type { Need, PageRun } from "./page-run.ts";
import { exampleOf } from "./pages.ts";
import { IMAGE } from "./pages-of-docs.ts";

const PAGE = "docs/interactive.md";
const KUBELET: readonly Need[] = ["kubectl", "kubelet"];
/** Spark itself makes these executors, and it makes no restricted ones. */
const UNRESTRICTED: readonly Need[] = [...KUBELET, "no level"];
const SUM = /^499500$/m;

/** Test clusters are small. */
const SHELL = exampleOf(PAGE, "yaml").replace(
  "maxExecutors             4",
  "maxExecutors             1\n    spark.kubernetes.executor.request.cores          100m",
);

const inShell = (program: string, typed: string): Readonly<Record<string, string>> => ({
  [`-it shell -- /opt/spark/bin/${program}`]: `-i shell -- ${typed}`,
});

/** The clients of both servers that are no part of Spark are tried in `suites/connect-server.e2e.ts`. */
export const PAGES_OF_INTERACTIVE: Readonly<Record<string, PageRun>> = {
  [PAGE]: {
    bench: "cluster",
    files: { "shell.yaml": SHELL },
    rows: [
      {
        command: "kindling connect",
        runBy: "packages/submit-cli/test/connect/open.test.ts",
        as: '"--as-account", "spark"',
      },
      {
        command: "kindling dev connect",
        runBy: "packages/dev/test/connect.test.ts",
        as: 'machine.dev("connect", "--port", "0", "--",',
      },
      // Another test, or another user of this machine, may have the ports of the page.
      { command: "openssl rand", needs: KUBELET },
      {
        command: "kindling submit --name connect",
        needs: KUBELET,
        with: { "--name connect": `--name connect ${IMAGE}` },
      },
      { command: "until kindling logs connect", needs: KUBELET },
      { command: "kubectl create service", needs: KUBELET },
      { command: "kubectl set selector service", needs: KUBELET, prints: /selector updated/ },
      { command: "kubectl port-forward service/connect", needs: KUBELET, with: { "15002 &": "18015:15002 &" } },
      { command: "export SPARK_CONNECT_AUTHENTICATE_TOKEN", needs: KUBELET },
      { command: "kindling kill", needs: KUBELET, prints: /^killed/m },
      { command: "kindling submit --name thrift", needs: KUBELET, with: { "--name thrift": `--name thrift ${IMAGE}` } },
      { command: "until kindling logs thrift", needs: KUBELET },
      { command: "kubectl port-forward service/thrift", needs: KUBELET, with: { "10000 &": "18010:10000 &" } },
      {
        command: "beeline",
        needs: KUBELET,
        with: {
          beeline:
            "kubectl exec $(kubectl get pod -l spark-app-name=thrift,spark-role=driver -o name) -- /opt/spark/bin/beeline",
        },
        prints: /499500/,
      },
      { command: "kubectl apply -f shell.yaml", needs: UNRESTRICTED, prints: /created/ },
      { command: "kubectl wait", needs: UNRESTRICTED, prints: /condition met/ },
      {
        command: "kubectl exec -it shell -- /opt/spark/bin/spark-sql",
        needs: UNRESTRICTED,
        prints: SUM,
        with: { "-it": "-i" },
      },
      {
        command: "kubectl exec -it shell -- /opt/spark/bin/pyspark",
        needs: UNRESTRICTED,
        prints: SUM,
        // pyspark makes a session only if somebody types.
        with: inShell(
          "pyspark",
          `sh -c 'echo "from pyspark.shell import spark; print(spark.range(1000).selectExpr(\\"sum(id)\\").first()[0])" | /opt/spark/bin/pyspark'`,
        ),
      },
      {
        command: "kubectl exec -it shell -- /opt/spark/bin/spark-shell",
        needs: UNRESTRICTED,
        prints: /SUM \[499500\]/,
        with: inShell(
          "spark-shell",
          `sh -c 'echo "println(\\"SUM \\" + spark.range(1000).selectExpr(\\"sum(id)\\").first())" | /opt/spark/bin/spark-shell'`,
        ),
      },
      { command: "kubectl delete pod shell", needs: UNRESTRICTED },
    ],
  },
};
