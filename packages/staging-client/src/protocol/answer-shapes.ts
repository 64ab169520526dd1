import type { StagedResourcesOwner } from "./owner.ts";
import type {
  AccessReport,
  BundleList,
  BundleStatus,
  Capabilities,
  CapabilityLimits,
  CollectReport,
  CommittedBundle,
  DamageAnswer,
  Lease,
  MissingResponse,
  NamespaceUsage,
  StorageStatus,
} from "./v1.ts";
import type { V0Submitted } from "./v0.ts";

/** Whether a document has the members that a client reads, each of its type. Further members are ignored. */
export type Shape<T> = (value: unknown) => value is T;

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === "string";
const number: Check = (value) => typeof value === "number" && value >= 0;
const atLeastOne: Check = (value) => typeof value === "number" && value >= 1;
const boolean: Check = (value) => typeof value === "boolean";

function maybe(check: Check): Check {
  return (value) => value === undefined || check(value);
}

function listOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check);
}

function mapOf(check: Check): Check {
  return (value) => isRecord(value) && Object.values(value).every(check);
}

function shape<T>(members: { readonly [Name in keyof T]?: Check }): Shape<T> {
  const checks = Object.entries(members) as [string, Check][];
  return (value): value is T => isRecord(value) && checks.every(([name, check]) => check(value[name]));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export const isCapabilities: Shape<Capabilities> = shape<Capabilities>({
  authentication: maybe(text),
});
export const isCapabilityLimits: Shape<CapabilityLimits> = shape<CapabilityLimits>({
  maxDigestsPerRequest: atLeastOne,
  maxUploadsPerClient: atLeastOne,
  oneShotBytes: number,
});
export const isAccessReport: Shape<AccessReport> = shape<AccessReport>({
  subject: text,
  allowed: boolean,
  reason: maybe(text),
});
export const isLease: Shape<Lease> = shape<Lease>({ leaseId: text });
export const isMissingResponse: Shape<MissingResponse> = shape<MissingResponse>({ missing: listOf(text) });
export const isCommittedBundle: Shape<CommittedBundle> = shape<CommittedBundle>({
  bundleId: text,
  secret: text,
  manifestDigest: text,
});
export const isDamageAnswer: Shape<DamageAnswer> = shape<DamageAnswer>({ state: text });
export const isV0Submitted: Shape<V0Submitted> = shape<V0Submitted>({ resourceId: text, resourceSecret: text });

export const isBundleStatus: Shape<BundleStatus> = shape<BundleStatus>({
  bundleId: text,
  namespace: text,
  state: text,
  owner: shape<StagedResourcesOwner>({ ownerLabels: mapOf(text) }),
  ownerState: text,
  files: number,
  bytes: number,
  createdAt: text,
  expiresIn: maybe(number),
});
export const isBundleList: Shape<BundleList> = shape<BundleList>({
  bundles: listOf(isBundleStatus),
  continue: maybe(text),
});
export const isStorageStatus: Shape<StorageStatus> = shape<StorageStatus>({
  store: text,
  freeBytes: maybe(number),
  blobs: maybe(number),
  blobBytes: maybe(number),
  openUploads: maybe(number),
  reservedBytes: maybe(number),
  namespaces: listOf(shape<NamespaceUsage>({ namespace: text, bundles: number, bytes: number })),
});
export const isCollectReport: Shape<CollectReport> = shape<CollectReport>({
  dryRun: boolean,
  bundlesDeleted: listOf(shape<BundleStatus & { reason: string }>({ bundleId: text, reason: text })),
  blobsCondemned: number,
  blobsDeleted: number,
  bytesFreed: number,
});
