import { KindlingError } from "@kindling/core-spec";
import type { IngressTLS } from "kubernetes-types/networking/v1.js";
import { isJsonObject } from "@kindling/spark-application/read";
import type { FlagValues } from "./flag-values.ts";
import type { UiSettings } from "./operator-settings.ts";

/** @throws KindlingError `ARGUMENT_INVALID` that names the flag and shows what would be right */
export function uiSettings(values: FlagValues): UiSettings {
  return {
    enableService: values.isOn("enable-ui-service"),
    ingressClassName: values.text("ingress-class-name"),
    ingressUrlFormat: values.text("ingress-url-format"),
    ingressTls: ingressTls(values),
    ingressAnnotations: ingressAnnotations(values),
  };
}

function ingressTls(values: FlagValues): readonly IngressTLS[] {
  const json = values.json("ingress-tls") ?? [];
  if (!Array.isArray(json) || !json.every(isTls))
    throw wrongJson("ingress-tls", '[{"hosts":["*.example.com"],"secretName":"tls"}]');
  return json;
}

function isTls(value: unknown): value is IngressTLS {
  if (!isJsonObject(value)) return false;
  const { hosts = [], secretName = "" } = value;
  return Array.isArray(hosts) && hosts.every((host) => typeof host === "string") && typeof secretName === "string";
}

function ingressAnnotations(values: FlagValues): Readonly<Record<string, string>> {
  const json = values.json("ingress-annotations") ?? {};
  if (!isTexts(json)) throw wrongJson("ingress-annotations", '{"name":"value"}');
  return json;
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isJsonObject(value) && Object.values(value).every((each) => typeof each === "string");
}

function wrongJson(name: string, example: string): KindlingError {
  return new KindlingError("ARGUMENT_INVALID", `--${name} has to be JSON such as ${example}`);
}
