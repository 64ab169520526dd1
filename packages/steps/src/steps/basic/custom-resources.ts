import { KindlingError, type ConfPrefix, type CustomResource, type SparkConf } from "@kindling/core-spec";

/**
 * The custom resources, such as GPUs, that the keys under a prefix ask for (ResourceUtils.parseAllResourceRequests), without
 * those with an amount of 0.
 */
export function customResources(conf: SparkConf, prefix: ConfPrefix): CustomResource[] {
  const settings = conf.withPrefix(prefix);
  const names = new Set<string>();
  for (const key of Object.keys(settings)) {
    const dot = key.indexOf(".");
    if (dot < 0) throw amountMissing(prefix, key);
    names.add(key.slice(0, dot));
  }
  return [...names]
    .map((name) => {
      const amount = settings[`${name}.amount`];
      if (amount === undefined) throw amountMissing(prefix, name);
      if (!/^[+-]?\d+$/.test(amount)) {
        throw new KindlingError("CONF_INVALID", `${prefix.prefix}${name}.amount: "${amount}" is not a whole number`);
      }
      return { name, amount: Number(amount), vendor: settings[`${name}.vendor`] ?? "" };
    })
    .filter((resource) => resource.amount > 0);
}

function amountMissing(prefix: ConfPrefix, name: string): KindlingError {
  return new KindlingError("CONF_MISSING", `${prefix.prefix}${name}.amount: you must specify an amount for ${name}`);
}

/** Container limits for custom resources: `<vendor>/<name>`, the names that device plug-ins use. */
export function customResourceLimits(resources: readonly CustomResource[], prefix: ConfPrefix): Record<string, string> {
  const limits: Record<string, string> = {};
  for (const { name, amount, vendor } of resources) {
    if (vendor === "") {
      throw new KindlingError(
        "CONF_MISSING",
        `${prefix.prefix}${name}.vendor: ${name} was requested, but its vendor was not specified`,
        { hint: "set it to the domain of the device plug-in, such as nvidia.com" },
      );
    }
    limits[`${vendor}/${name}`] = String(amount);
  }
  return limits;
}
