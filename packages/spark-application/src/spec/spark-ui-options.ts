import type { IngressTLS } from "kubernetes-types/networking/v1.js";
import { fields, list, map, open, text, whole, type MembersOf, type Shape } from "../shapes/shape.ts";

export interface SparkUIConfiguration {
  readonly servicePort?: number;
  readonly servicePortName?: string;
  readonly serviceType?: string;
  readonly serviceAnnotations?: Readonly<Record<string, string>>;
  readonly serviceLabels?: Readonly<Record<string, string>>;
  readonly ingressAnnotations?: Readonly<Record<string, string>>;
  readonly ingressTLS?: readonly IngressTLS[];
}

const MEMBERS: MembersOf<SparkUIConfiguration> = {
  servicePort: whole(32),
  servicePortName: text(),
  serviceType: text(),
  serviceAnnotations: map(text()),
  serviceLabels: map(text()),
  ingressAnnotations: map(text()),
  ingressTLS: list(
    open<NonNullable<SparkUIConfiguration["ingressTLS"]>[number]>({ hosts: list(text()), secretName: text() }),
  ),
};

export const UI: Shape<SparkUIConfiguration> = fields<SparkUIConfiguration>(MEMBERS);

export interface DriverIngressConfiguration extends SparkUIConfiguration {
  readonly ingressURLFormat?: string;
}

export const DRIVER_INGRESS: Shape<DriverIngressConfiguration> = fields<DriverIngressConfiguration>({
  ...MEMBERS,
  ingressURLFormat: text(),
});
