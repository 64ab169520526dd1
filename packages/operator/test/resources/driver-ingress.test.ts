import { expect, test } from "vitest";
import { caughtFrom } from "@kindling/test-kit/caught";
import type { DriverIngressConfiguration } from "@kindling/spark-application";
import { applicationObjects } from "../../src/resources/application-objects.ts";
import { anApplication, anOperator } from "./an-application.ts";

const around = (entries: readonly DriverIngressConfiguration[], name = "pi") =>
  applicationObjects(
    anApplication({ driverIngressOptions: entries, sparkUIOptions: { ingressAnnotations: { of: "ui" } } }, name),
    anOperator({ ui: { ingressClassName: "nginx" } }),
  ).objects.map(({ object }) => object);

test("each port of the driver has a service, and an ingress if it has a URL", () => {
  const objects = around([
    { servicePort: 9000, ingressURLFormat: "{{$appName}}.example.com/metrics", serviceType: "NodePort" },
    { servicePort: 9001, servicePortName: "debug" },
  ]);
  expect(objects).toMatchObject([
    {
      kind: "Service",
      metadata: { name: "pi-driver-9000" },
      spec: { type: "NodePort", ports: [{ name: "driver-ing-9000", port: 9000, targetPort: 9000 }] },
    },
    {
      kind: "Ingress",
      metadata: { name: "pi-ing-9000", annotations: { of: "ui" } },
      spec: {
        ingressClassName: "nginx",
        rules: [
          {
            host: "pi.example.com",
            http: {
              paths: [
                {
                  path: "/metrics(/|$)(.*)",
                  backend: { service: { name: "pi-driver-9000", port: { number: 9000 } } },
                },
              ],
            },
          },
        ],
      },
    },
    { kind: "Service", metadata: { name: "pi-driver-9001" }, spec: { ports: [{ name: "debug", port: 9001 }] } },
  ]);
});

test("an entry's own annotations and TLS are the ingress's", () => {
  const [, ingress] = around([
    {
      servicePort: 1,
      ingressURLFormat: "h",
      ingressAnnotations: { of: "entry" },
      ingressTLS: [{ secretName: "certificate" }],
    },
  ]);
  expect(ingress).toMatchObject({
    metadata: { annotations: { of: "entry" } },
    spec: { tls: [{ secretName: "certificate" }] },
  });
});

test("the service of an application with a long name has a name that a service can have", () => {
  const [service] = around([{ servicePort: 10_000 }], "a".repeat(60));
  expect(service?.metadata?.name).toMatch(/^a{40,}-[0-9a-f]{8}-driver-10000$/);
  expect(service?.metadata?.name).toHaveLength(63);
});

test.each([
  [
    "no port",
    {},
    "failed to create driver ingress service for SparkApplication: service port is nil on driver ingress configuration",
  ],
  [
    "no URL",
    { servicePort: 1, ingressURLFormat: "http://h:port/" },
    'failed to get driver ingress url: parse "http://h:port/": invalid port ":port" after host',
  ],
  [
    "a password",
    { servicePort: 1, ingressURLFormat: "http://user:word@h/" },
    'failed to get driver ingress url: parse "http://*********(redacted)@h/": net/url: user information in URL',
  ],
])("an entry with %s is refused", (_, entry, message) => {
  expect(caughtFrom(() => around([entry]))).toMatchObject({ name: "PreparationError", code: "CONF_INVALID", message });
});
