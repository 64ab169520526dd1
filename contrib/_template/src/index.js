// @ts-check
import { confType, optionalConfKey } from "@kindling/core-spec";

const COST_CENTER = optionalConfKey({
  key: "spark.example.costCenter",
  type: confType.text,
  since: "3.5.0",
  readBy: ["submit"],
  doc: "Who pays: becomes the label example.com/cost-center of the driver pod.",
});

/** @type {import("@kindling/core-spec").Step} */
const costCenter = {
  name: "cost-center",
  keys: [COST_CENTER],
  configureDriver(spec, { conf }) {
    const value = conf.get(COST_CENTER);
    if (value === undefined) return spec;
    const { metadata } = spec.driverPod;
    const labels = { ...metadata?.labels, "example.com/cost-center": value };
    return { ...spec, driverPod: { ...spec.driverPod, metadata: { ...metadata, labels } } };
  },
};

export default costCenter;
