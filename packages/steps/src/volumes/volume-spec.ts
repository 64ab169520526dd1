import {
  confKey,
  confType,
  KindlingError,
  type ConfKey,
  type ConfPrefix,
  type SparkConf,
  type SparkVersion,
} from "@kindling/core-spec";
import { volumeOrder } from "./volume-order.ts";

/** A volume as `spark.kubernetes.{driver,executor}.volumes.<type>.<name>.*` describes it. */
export interface VolumeSpec {
  readonly name: string;
  readonly mountPath: string;
  readonly subPath: string;
  readonly subPathExpr: string;
  readonly readOnly: boolean;
  readonly source: VolumeSource;
}

export type VolumeSource =
  | { readonly type: "hostPath"; readonly path: string; readonly hostPathType: string }
  | { readonly type: "nfs"; readonly path: string; readonly server: string }
  | { readonly type: "emptyDir"; readonly medium: string; readonly sizeLimit: string | undefined }
  | {
      readonly type: "persistentVolumeClaim";
      readonly claimName: string;
      readonly storageClass: string | undefined;
      readonly size: string | undefined;
      readonly labels: Readonly<Record<string, string>>;
      readonly annotations: Readonly<Record<string, string>>;
    };

export const USE_READ_WRITE_ONCE: ConfKey<boolean> = confKey({
  key: "spark.kubernetes.legacy.useReadWriteOnceAccessMode",
  type: confType.boolean,
  default: [{ before: "claims-for-one-pod", text: "true" }, { text: "false" }],
  since: "3.4.3",
  readBy: ["submit", "executor"],
  doc: "Whether claims made on demand have the access mode ReadWriteOnce and not ReadWriteOncePod.",
});

/**
 * Reads all volumes under a prefix (KubernetesVolumeUtils.parseVolumesWithPrefix), in the order that Spark gives them.
 *
 * @throws KindlingError that names the key for an unknown type, a missing option, options that exclude each other, or a size
 *   without unit
 */
export function parseVolumes(conf: SparkConf, prefix: ConfPrefix): VolumeSpec[] {
  const options = optionsByVolume(conf.withPrefix(prefix));
  return volumeOrder(conf, prefix).map(([type, name]) =>
    parseVolume(new VolumeOptions(conf, prefix, options.get(`${type}.${name}`) ?? {}, type, name)),
  );
}

/**
 * The options under `type.name.`, by the rest of each key. They are grouped only once: a configuration may have many volumes.
 */
function optionsByVolume(all: Readonly<Record<string, string>>): ReadonlyMap<string, Record<string, string>> {
  const volumes = new Map<string, Record<string, string>>();
  for (const [key, value] of Object.entries(all)) {
    const [type = "", name = ""] = key.split(".", 2);
    const volume = `${type}.${name}`;
    const options = volumes.get(volume) ?? {};
    volumes.set(volume, options);
    options[key.slice(volume.length + 1)] = value;
  }
  return volumes;
}

function parseVolume(options: VolumeOptions): VolumeSpec {
  const subPath = options.optional("mount.subPath");
  const subPathExpr = options.version.has("sub-path-expressions") ? options.optional("mount.subPathExpr") : undefined;
  if (subPath !== undefined && subPathExpr !== undefined) {
    throw new KindlingError(
      "CONF_CONFLICT",
      `${options.key("mount.subPath")} and ${options.key("mount.subPathExpr")} are mutually exclusive`,
    );
  }
  return {
    name: options.name,
    mountPath: options.required("mount.path"),
    subPath: subPath ?? "",
    subPathExpr: subPathExpr ?? "",
    readOnly: options.flag("mount.readOnly"),
    source: parseSource(options),
  };
}

function parseSource(options: VolumeOptions): VolumeSource {
  const { version } = options;
  switch (options.type) {
    case "hostPath":
      return {
        type: "hostPath",
        path: options.required("options.path"),
        hostPathType: (version.has("host-path-types") ? options.optional("options.type") : undefined) ?? "",
      };
    case "nfs":
      return { type: "nfs", path: options.required("options.path"), server: options.required("options.server") };
    case "emptyDir":
      return {
        type: "emptyDir",
        medium: options.optional("options.medium") ?? "",
        sizeLimit: options.quantity("options.sizeLimit"),
      };
    case "persistentVolumeClaim": {
      const storageClass = options.optional("options.storageClass");
      return {
        type: "persistentVolumeClaim",
        claimName: options.required("options.claimName"),
        storageClass,
        // Without a storage class no claim is made, and the size has no effect.
        size: storageClass === undefined ? options.size("options.sizeLimit") : options.quantity("options.sizeLimit"),
        labels: version.has("claim-labels") ? options.map("label.") : {},
        annotations: version.has("claim-labels") ? options.map("annotation.") : {},
      };
    }
    default:
      throw new KindlingError("CONF_INVALID", `${options.key("")}: volume type ${options.type} is not supported`, {
        hint: "types are hostPath, persistentVolumeClaim, emptyDir and nfs; other kinds of volume go into a pod template",
      });
  }
}

/** The options of one volume, by the rest of their keys. */
class VolumeOptions {
  readonly version: SparkVersion;
  readonly type: string;
  readonly name: string;
  readonly #prefix: ConfPrefix;
  readonly #options: Readonly<Record<string, string>>;

  constructor(
    conf: SparkConf,
    prefix: ConfPrefix,
    options: Readonly<Record<string, string>>,
    type: string,
    name: string,
  ) {
    this.version = conf.version;
    this.type = type;
    this.name = name;
    this.#prefix = prefix;
    this.#options = options;
  }

  key(option: string): string {
    return `${this.#prefix.prefix}${this.type}.${this.name}${option === "" ? "" : `.${option}`}`;
  }

  optional(option: string): string | undefined {
    return Object.hasOwn(this.#options, option) ? this.#options[option] : undefined;
  }

  required(option: string): string {
    const value = this.optional(option);
    if (value === undefined) {
      throw new KindlingError("CONF_MISSING", `${this.key(option)} is required for ${this.type} volume ${this.name}`);
    }
    return value;
  }

  flag(option: string): boolean {
    const value = this.optional(option)?.toLowerCase() ?? "false";
    if (value !== "true" && value !== "false") {
      throw new KindlingError("CONF_INVALID", `${this.key(option)}: "${value}" is not true or false`);
    }
    return value === "true";
  }

  /** A size; newer versions refuse a number that is too small to be meant in bytes. */
  size(option: string): string | undefined {
    const value = this.optional(option);
    if (
      this.version.has("tiny-volumes-refused") &&
      value !== undefined &&
      /^\d*$/.test(value) &&
      Number(value) < 1024
    ) {
      throw new KindlingError("CONF_INVALID", `${this.key(option)}: ${value} is smaller than 1KiB; is a unit missing?`);
    }
    return value;
  }

  /** A size that goes into the pod or the claim. Spark's client library accepts any text except an empty one as a quantity. */
  quantity(option: string): string | undefined {
    if (this.optional(option) === "") {
      throw new KindlingError("CONF_INVALID", `${this.key(option)} is empty`, { hint: "give a size such as 500Gi" });
    }
    return this.size(option);
  }

  map(option: string): Record<string, string> {
    const entries = Object.entries(this.#options).filter(([key]) => key.startsWith(option));
    return Object.fromEntries(entries.map(([key, value]) => [key.slice(option.length), value]));
  }
}
