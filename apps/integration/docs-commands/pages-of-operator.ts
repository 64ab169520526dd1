import type { PageRun } from "./page-run.ts";
import { exampleOf } from "./pages.ts";
import { CHART, PI_IN_PYTHON } from "./pages-of-docs.ts";
import { ON_EMBEDDED, SERVED } from "./pages-of-installing.ts";

const DEFINITIONS = "$REPOSITORY/deploy/helm/kindling-operator/crds";
const KINDS = "crd/sparkapplications.sparkoperator.k8s.io crd/scheduledsparkapplications.sparkoperator.k8s.io";
// `kubectl wait` ends with an error if an object has no conditions at all yet.
const UNTIL_KNOWN = `until kubectl wait ${KINDS} --for=condition=established --timeout=60s; do sleep 1; done`;
const OPERATE = "kindling-operator controller start --namespaces=$NAMESPACE --health-probe-bind-address=0";

/** The application of a page, small enough for a test cluster, with the existing account. */
function small(page: string): Readonly<Record<string, string>> {
  const text = exampleOf(page, "yaml").replaceAll("cores: 1,", "cores: 1, coreRequest: 100m,");
  return { "pi.yaml": text.replace("spark-operator-spark", "spark").replace("instances: 2", "instances: 1") };
}

/** Pages about the operator, which runs on this machine. Other suites install its chart. */
const CREATE = "packages/submit-cli/test/app/create-command.test.ts";

export const PAGES_OF_OPERATOR: Readonly<Record<string, PageRun>> = {
  "docs/operator.md": {
    bench: "cluster",
    files: small("docs/operator.md"),
    before: [SERVED, `kubectl apply -f ${DEFINITIONS}`, UNTIL_KNOWN, `${OPERATE} &`],
    rows: [
      { command: "helm repo add", needs: ["helm"], with: CHART },
      { command: "helm install", needs: ["helm"], with: { "helm install": "helm install --dry-run=client" } },
      { command: "kubectl apply -f pi.yaml", prints: /created/ },
      { command: "kubectl wait", prints: /condition met/ },
      { command: "kindling app status pi", prints: /COMPLETED/ },
      { command: "kindling app logs pi", prints: /Pi is roughly 3/ },
      { command: "kindling dev up --operator", needs: ["spark"], prints: /kindling app create/ },
      { command: "eval", needs: ["spark"] },
      { command: "kindling app create pi.yaml --wait", needs: ["spark"], prints: /created/ },
      { command: "kindling dev down", needs: ["spark"] },
    ],
  },
  "packages/operator/README.md": {
    bench: "cluster",
    files: small("packages/operator/README.md"),
    rows: [
      {
        command: "kubectl apply -f deploy",
        with: { "deploy/helm/kindling-operator/crds": `${DEFINITIONS} && ${UNTIL_KNOWN}` },
      },
      {
        command: "kindling-operator controller start",
        with: { "kindling-operator controller start --namespaces=default": OPERATE },
      },
      { command: "kubectl apply -f pi.yaml", prints: /created/ },
      { command: "kubectl wait", prints: /condition met/ },
    ],
  },
  "docs/from-kubeflow-operator.md": {
    bench: "cluster",
    before: [SERVED],
    rows: [
      { command: "kindling dev up --operator", runBy: "packages/dev/test/operator.test.ts", as: '"up", "--operator"' },
      { command: "eval", runBy: "packages/dev/test/env.test.ts", as: "eval" },
      { command: "kindling app create jobs/", runBy: CREATE, as: '["create", folder.path]' },
      { command: "kindling app list", runBy: "packages/submit-cli/test/app/list-command.test.ts", as: '"list"' },
      { command: "kubectl get events", needs: ["kubectl"] },
      { command: "helm repo add", needs: ["helm"], with: CHART },
      { command: "helm upgrade", runBy: ON_EMBEDDED, as: 'onRelease("upgrade"' },
      { command: "helm rollback", runBy: ON_EMBEDDED, as: '"rollback"' },
      {
        command: "kindling submit --namespace spark-jobs",
        with: { ...PI_IN_PYTHON, "spark-jobs": "$NAMESPACE", " 100": " 4" },
      },
    ],
  },
};
