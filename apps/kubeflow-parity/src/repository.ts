import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's folder. It is equally far from `src` and from `dist`. */
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** The places in the repository that are used. */
export const PLACES = {
  chart: join(ROOT, "deploy/helm/kindling-operator"),
  definitions: join(ROOT, "deploy/helm/kindling-operator/crds"),
  images: join(ROOT, "deploy/images/images.mjs"),
  operator: join(ROOT, "packages/operator"),
  robfigCron: join(ROOT, "apps/kubeflow-parity/robfig-cron"),
} as const;
