import { sparkConf } from "@kindling/core-spec";
import { parseGatewayPlace, type GatewayPlace } from "@kindling/gateway-client";
import { expect, test } from "vitest";
import { configuredGatewayPlace } from "../../src/index.ts";

function placeOf(entries: Readonly<Record<string, string>>): GatewayPlace {
  return configuredGatewayPlace(sparkConf(entries, { sparkVersion: "" }));
}

const service = (namespace: string, name: string, port = 8081): GatewayPlace => ({
  kind: "service",
  ...{ namespace, name, port },
});

test.each([
  ["a/b", service("a", "b")],
  ["spark-system/kindling-gateway:9000", service("spark-system", "kindling-gateway", 9000)],
  ["http://127.0.0.1:8081", { kind: "uri", uri: new URL("http://127.0.0.1:8081/") }],
])("%s is a place", (text, place) => {
  expect(parseGatewayPlace(text)).toEqual(place);
});

test.each(["", "gateway", "a/b/c", "a/../b", "a/b:x", "A/b", "http://[", "a/b?x"])("%s is none", (text) => {
  expect(() => parseGatewayPlace(text)).toThrow(/^--gateway ".*" is /);
});

test("the service that drivers talk to is the gateway's", () => {
  const of = (uri: string): GatewayPlace => placeOf({ "spark.kindling.scheduler.uri": uri });
  expect(of("https://kindling-gateway.spark-system.svc:8443")).toEqual(service("spark-system", "kindling-gateway"));
  expect(of("https://gw.team.svc.cluster.local:8443")).toEqual(service("team", "gw"));
  expect(of("https://gw.team:8443")).toEqual(service("team", "gw"));
});

test("the page's own address comes first, and a place that is usual last", () => {
  const entries = {
    "spark.kindling.scheduler.uri": "https://a.b.svc",
    "spark.kindling.scheduler.pageUri": "http://p:1",
  };
  expect(placeOf(entries)).toEqual({ kind: "uri", uri: new URL("http://p:1/") });
  expect(placeOf({})).toEqual(service("kindling", "kindling-gateway"));
});

test.each(["https://10.0.0.1:8443", "https://gateway.example.com"])("%s names no service", (uri) => {
  const place = (): GatewayPlace => placeOf({ "spark.kindling.scheduler.uri": uri });
  expect(place).toThrow(/names no service of the cluster/);
});
