import type { PageRun } from "./page-run.ts";
import { exampleOf } from "./pages.ts";
import { CHART } from "./pages-of-docs.ts";

const ON_REAL_CLUSTERS = "apps/integration/suites/chart.e2e.ts";
export const ON_EMBEDDED = "apps/chart/test/operator-installing.test.ts";
const WITHOUT_HELM = "apps/chart/test/manifests.test.mjs";
export const SERVED =
  "if command -v helm >/dev/null; then source $REPOSITORY/apps/integration/docs-commands/serve-chart.sh; fi";
const VERIFYING = "tools/release/signatures.test.mjs";
const IN_BENCH = { "-n kindling": "-n $NAMESPACE" };

/** Pages about installing the chart. Other suites install it; here it is only rendered. */
export const PAGES_OF_INSTALLING: Readonly<Record<string, PageRun>> = {
  "docs/install.md": {
    bench: "cluster",
    files: {
      "values.yaml": exampleOf("docs/install.md", "yaml"),
      "credentials.properties": "accessKeyId=key\nsecretAccessKey=secret\n",
    },
    before: [SERVED],
    rows: [
      { command: "helm repo add", needs: ["helm"], with: CHART },
      { command: "helm install", needs: ["helm"], with: { "helm install": "helm install --dry-run=client" } },
      { command: "helm test", runBy: ON_REAL_CLUSTERS, as: 'helm(["test"' },
      { command: "kindling submit", runBy: ON_REAL_CLUSTERS, as: '["submit", "--namespace"' },
      {
        command: "helm upgrade",
        needs: ["helm"],
        with: { "helm upgrade": "helm upgrade --install --dry-run=client" },
      },
      {
        command: "kubectl -n kindling delete secret",
        needs: ["kubectl"],
        with: { ...IN_BENCH, "delete secret": "delete --ignore-not-found secret" },
      },
      { command: "kubectl -n kindling create secret", needs: ["kubectl"], with: IN_BENCH, prints: /created/ },
      { command: "helm repo update", needs: ["helm"] },
      { command: "kubectl get pods -A", needs: ["kubectl"] },
      { command: "helm uninstall", runBy: ON_REAL_CLUSTERS, as: 'helm(["uninstall"' },
      { command: "kubectl apply -f deploy/manifests", runBy: WITHOUT_HELM, as: '"kubectl", "apply", "-f"' },
      { command: "deploy/manifests/certificates.sh", runBy: WITHOUT_HELM, as: 'run(join(FOLDER, "certificates.sh"))' },
      { command: "kubectl -n kindling wait", runBy: WITHOUT_HELM, as: "--for=condition=Available" },
      {
        command: "helm template",
        needs: ["helm"],
        with: { "deploy/helm": "$REPOSITORY/deploy/helm", "helm template": "helm template --kube-version 1.28.0" },
      },
    ],
  },
  // Nothing is published yet: a test signs and verifies with stand-ins for the registry and the authority.
  "docs/verifying.md": {
    bench: "folder",
    rows: [
      { command: "cosign verify docker.io/", runBy: VERIFYING, as: 'verifying("cosign verify docker.io/")' },
      { command: "cosign verify-attestation", runBy: VERIFYING, as: 'verifying("cosign verify-attestation")' },
      { command: "cosign verify-blob", runBy: VERIFYING, as: "verifying(`cosign verify-blob ${file}`)" },
      { command: "cosign copy", runBy: VERIFYING, as: 'verifying("cosign copy")' },
      {
        command: "cosign verify registry.example.com/",
        runBy: VERIFYING,
        as: 'verifying("cosign verify registry.example.com/")',
      },
    ],
  },
  "deploy/helm/kindling/README.md": {
    bench: "folder",
    before: [SERVED],
    rows: [
      { command: "helm repo add", needs: ["helm"], with: CHART },
      { command: "helm install", runBy: ON_REAL_CLUSTERS, as: "helm([verb" },
      { command: "helm test", runBy: ON_REAL_CLUSTERS, as: 'helm(["test"' },
    ],
  },
  "deploy/helm/kindling-operator/README.md": {
    bench: "folder",
    before: [SERVED],
    rows: [
      { command: "helm repo add", needs: ["helm"], with: CHART },
      { command: "helm install", runBy: ON_EMBEDDED, as: "helm([verb" },
      { command: "helm upgrade", runBy: ON_EMBEDDED, as: 'onRelease("upgrade"' },
    ],
  },
};
