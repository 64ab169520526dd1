import type { AuthenticationMode } from "@kindling/staging-client";
import type { StoreKind, StoreSettings } from "../stores/stores.ts";

export type DedupeScope = "namespace" | "server";
export type V0Uploads = "authenticated" | "open" | "off";
export type LogLevel = "debug" | "info" | "warn" | "error";
export type TlsVersion = "TLSv1.2" | "TLSv1.3";
export type OwnerWatch = "kubernetes" | "none";

/** All settings of a server, read and checked. Sizes are bytes, durations seconds. The reference is in `keys/`. */
export interface ServerConfig extends StoreSettings {
  readonly "listen.host": string;
  readonly "listen.port": number;
  readonly "listen.trustedProxies": readonly string[];
  readonly "admin.host": string;
  readonly "admin.port": number;

  readonly "tls.certFile": string | undefined;
  readonly "tls.keyFile": string | undefined;
  readonly "tls.clientCaFile": string | undefined;
  readonly "tls.minVersion": TlsVersion;
  readonly "tls.reloadInterval": number;

  readonly "auth.mode": AuthenticationMode | undefined;
  readonly "auth.accessFile": string | undefined;
  readonly "auth.audiences": readonly string[];
  readonly "auth.submitters": readonly string[];
  readonly "auth.cache": number;
  readonly "v0.uploads": V0Uploads;

  readonly "store.kind": StoreKind;

  readonly "scrub.interval": number;
  readonly "scrub.rate": number;

  readonly "limits.fileBytes": number;
  readonly "limits.bundleFiles": number;
  readonly "limits.oneShotBytes": number;
  readonly "limits.uploads": number;
  readonly "limits.uploadsPerClient": number;
  readonly "limits.downloads": number;
  readonly "limits.minRate": number;
  readonly "limits.minRateWindow": number;
  readonly "limits.writeStall": number;
  readonly "limits.headersTimeout": number;
  readonly "limits.receiveBuffer": number;
  readonly "limits.readBuffer": number;
  readonly "limits.connections": number | undefined;
  readonly "limits.connectionsPerClient": number | undefined;
  readonly "limits.requests": number | undefined;
  readonly "limits.strangerRate": number;
  readonly "limits.reviews": number;
  readonly "limits.failedReviews": number;
  readonly "limits.documentMemory": number | undefined;
  readonly "limits.memory": number | undefined;
  readonly "limits.memoryPerNamespace": number | undefined;
  readonly "limits.leasesPerNamespace": number;
  readonly "limits.openUploadsPerNamespace": number;
  readonly "limits.bundlesPerNamespace": number;

  readonly "quota.default": number;
  readonly "quota.namespaces": readonly string[];
  readonly "dedupe.scope": DedupeScope;

  readonly "lease.ttl": number;
  readonly "lease.maxTtl": number;
  readonly "upload.ttl": number;
  readonly "lifecycle.unusedTtl": number;
  readonly "lifecycle.maxUnusedTtl": number;
  readonly "lifecycle.orphanGrace": number;
  readonly "lifecycle.maxAge": number;
  readonly "lifecycle.interval": number;
  readonly "lifecycle.confirmAfter": number;
  readonly "lifecycle.blobGrace": number;
  readonly "lifecycle.owners": OwnerWatch;
  readonly "lifecycle.ownerResources": readonly string[];

  readonly "cluster.kubeconfig": string | undefined;
  readonly "cluster.leaseNamespace": string | undefined;
  readonly "cluster.leaseName": string;

  readonly "shutdown.grace": number;
  readonly "log.level": LogLevel;
}

export type ServerKeyName = keyof ServerConfig;
