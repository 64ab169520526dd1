import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's folder: as far from `src` as from `dist`. */
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** What is looked at of it. */
export const PLACES = {
  chart: join(ROOT, "deploy/helm/kindling-operator"),
  definitions: join(ROOT, "deploy/helm/kindling-operator/crds"),
  images: join(ROOT, "deploy/images/images.mjs"),
  operator: join(ROOT, "packages/operator"),
  robfigCron: join(ROOT, "apps/kubeflow-parity/robfig-cron"),
} as const;
