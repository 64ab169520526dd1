import { describe, expect, test } from "vitest";
import { caughtFrom } from "@kindling/test-kit/caught";
import { applicationObjects } from "../../src/resources/application-objects.ts";
import { uiService, webUiOf } from "../../src/resources/ui-service.ts";
import { anApplication, anOperator } from "./an-application.ts";

const UI = { enableService: true };
const OWNER = {
  apiVersion: "sparkoperator.k8s.io/v1beta2",
  kind: "SparkApplication",
  name: "pi",
  uid: "0c8e5a6e-8a3b-4a33-a8b3-5a4d0f0f0c11",
  controller: true,
  blockOwnerDeletion: true,
};
const RUN_LABELS = {
  "sparkoperator.k8s.io/app-name": "pi",
  "sparkoperator.k8s.io/submission-id": "3e0b7cf4-3a0f-8f1c-9a3b-0d5c9f6d7f11",
  "sparkoperator.k8s.io/created-by-spark-operator": "true",
};

test("without features nothing stands around an application, and it stays as it is", () => {
  const application = anApplication({ sparkUIOptions: { servicePort: 80 }, driverPodDisruptionBudget: true });
  expect(applicationObjects(application, anOperator())).toEqual({ application, objects: [], driverInfo: {} });
});

describe("the UI's service", () => {
  test("leads to the driver of the application", () => {
    const { objects, driverInfo } = applicationObjects(anApplication(), anOperator({ ui: UI }));
    expect(objects).toEqual([
      {
        when: "beside-driver",
        atEnd: "kept",
        failure: "failed to create web UI service",
        object: {
          apiVersion: "v1",
          kind: "Service",
          metadata: { name: "pi-ui-svc", namespace: "team", labels: RUN_LABELS, ownerReferences: [OWNER] },
          spec: {
            type: "ClusterIP",
            selector: { "sparkoperator.k8s.io/app-name": "pi", "spark-role": "driver" },
            ports: [{ name: "spark-driver-ui-port", port: 4040, targetPort: 4040, protocol: "TCP" }],
          },
        },
      },
    ]);
    expect(driverInfo).toEqual({ webUIServiceName: "pi-ui-svc", webUIPort: 4040 });
  });

  test.each([
    ["spark.ui.port without options", "4050", undefined, 4050, 4050],
    ["options without a port", "4050", {}, 4040, 4050],
    ["options with a port", "4050", { servicePort: 80 }, 80, 4050],
    ["what is no number", "ui", undefined, 4040, 4040],
    ["what is too great a number", "99999999999", undefined, 4040, 4040],
  ])("takes its port from %s", (_, port, sparkUIOptions, wantPort, wantTarget) => {
    const spec = { sparkConf: { "spark.ui.port": port }, ...(sparkUIOptions !== undefined && { sparkUIOptions }) };
    expect(uiService(anApplication(spec), "id")?.spec.ports).toMatchObject([
      { port: wantPort, targetPort: wantTarget },
    ]);
  });

  test.each([
    [{ "spark.ssl.ui.enabled": "true" }, 4440],
    [{ "spark.ssl.enabled": "true", "spark.ui.port": "5050" }, 5450],
    [{ "spark.ssl.enabled": "true", "spark.ssl.ui.enabled": "false" }, 4040],
    [{ "spark.ssl.ui.enabled": "true", "spark.ssl.ui.port": "9443" }, 9443],
    [{ "spark.kindling.seal": "true", "spark.kindling.seal.ui": "true" }, 4440],
    [{ "spark.ssl.ui.enabled": "true", "spark.ui.port": "65400" }, 1288],
  ])("leads to the port with TLS, if there is one: %o", (sparkConf, port) => {
    expect(uiService(anApplication({ sparkConf }), "id")?.spec.ports).toMatchObject([{ port, targetPort: port }]);
  });

  test("does not exist if the port with TLS is not known beforehand", () => {
    const sparkConf = { "spark.ssl.ui.enabled": "true", "spark.ui.port": "0" };
    expect(uiService(anApplication({ sparkConf }), "id")).toBeUndefined();
  });

  test("is not there if Spark chooses the port", () => {
    const application = anApplication({ sparkConf: { "spark.ui.port": "0" } });
    const operator = anOperator({ ui: { ...UI, ingressUrlFormat: "spark.example.com/{{$appName}}" } });
    expect(applicationObjects(application, operator)).toEqual({ application, objects: [], driverInfo: {} });
  });

  test("has the user's labels in the place of the run's", () => {
    const sparkUIOptions = {
      servicePortName: "web",
      serviceType: "NodePort",
      serviceLabels: { team: "data" },
      serviceAnnotations: { note: "x" },
    };
    const service = uiService(anApplication({ sparkUIOptions }), "id");
    expect(service).toMatchObject({
      metadata: { annotations: { note: "x" } },
      spec: { type: "NodePort", ports: [{ name: "web" }] },
    });
    expect(service?.metadata.labels).toEqual({
      team: "data",
      "sparkoperator.k8s.io/created-by-spark-operator": "true",
    });
  });

  test("gives the status its address once it has one", () => {
    const service = uiService(anApplication({ sparkUIOptions: { servicePort: 80 } }), "id");
    const made = service && { ...service, spec: { ...service.spec, clusterIP: "10.96.0.7" } };
    expect(made && webUiOf(made)).toEqual({
      webUIServiceName: "pi-ui-svc",
      webUIPort: 80,
      webUIAddress: "10.96.0.7:80",
    });
  });
});

describe("the UI's ingress", () => {
  const ingressOf = (spec: Parameters<typeof anApplication>[0], ui: object) => {
    const { objects, ...rest } = applicationObjects(anApplication(spec), anOperator({ ui: { ...UI, ...ui } }));
    return { ...rest, ingress: objects.find(({ object }) => object.kind === "Ingress")?.object };
  };

  test("leads a path to the service, and Spark knows the path", () => {
    const { application, driverInfo, ingress } = ingressOf(
      {},
      { ingressUrlFormat: "https://spark.example.com/{{$appNamespace}}/{{ $appName }}/{{$appId}}" },
    );
    const path = "/team/pi/spark-0123456789abcdef";
    expect(ingress).toEqual({
      apiVersion: "networking.k8s.io/v1",
      kind: "Ingress",
      metadata: {
        name: "pi-ui-ingress",
        namespace: "team",
        labels: RUN_LABELS,
        annotations: { "nginx.ingress.kubernetes.io/rewrite-target": "/$2" },
        ownerReferences: [OWNER],
      },
      spec: {
        rules: [
          {
            host: "spark.example.com",
            http: {
              paths: [
                {
                  path: `${path}(/|$)(.*)`,
                  pathType: "ImplementationSpecific",
                  backend: { service: { name: "pi-ui-svc", port: { number: 4040 } } },
                },
              ],
            },
          },
        ],
      },
    });
    expect(application.spec.sparkConf).toEqual({ "spark.ui.proxyBase": path, "spark.ui.proxyRedirectUri": "/" });
    expect(driverInfo).toEqual({
      webUIServiceName: "pi-ui-svc",
      webUIPort: 4040,
      webUIIngressName: "pi-ui-ingress",
      webUIIngressAddress: `https://spark.example.com${path}`,
    });
  });

  test("of a host alone has no path, and Spark is told of none", () => {
    const { application, driverInfo, ingress } = ingressOf({}, { ingressUrlFormat: "{{$appName}}.example.com" });
    expect(ingress).toMatchObject({
      spec: { rules: [{ host: "pi.example.com", http: { paths: [{ pathType: "ImplementationSpecific" }] } }] },
    });
    expect(JSON.stringify(ingress)).not.toMatch(/"path":|annotations/);
    expect(application.spec.sparkConf).toBeUndefined();
    expect(driverInfo).toMatchObject({ webUIIngressAddress: "http://pi.example.com" });
  });

  test("leaves Spark what the user says", () => {
    const sparkConf = { "spark.ui.proxyBase": "/mine" };
    const { application } = ingressOf({ sparkConf }, { ingressUrlFormat: "h/{{$appName}}" });
    expect(application.spec.sparkConf).toEqual({ ...sparkConf, "spark.ui.proxyRedirectUri": "/" });
  });

  test.each([
    ["the operator's", {}, { a: "operator" }, "operator.example.com"],
    [
      "the application's",
      { ingressAnnotations: { a: "own" }, ingressTLS: [{ hosts: ["own.example.com"] }] },
      { a: "own" },
      "own.example.com",
    ],
  ])("has %s annotations and TLS", (_, sparkUIOptions, annotations, host) => {
    const { ingress } = ingressOf(
      { sparkUIOptions },
      {
        ingressUrlFormat: "h",
        ingressClassName: "nginx",
        ingressAnnotations: { a: "operator" },
        ingressTls: [{ hosts: ["operator.example.com"] }],
      },
    );
    expect(ingress).toMatchObject({
      metadata: { annotations },
      spec: { ingressClassName: "nginx", tls: [{ hosts: [host] }] },
    });
  });

  test("cannot be made of what is no URL", () => {
    const operator = anOperator({ ui: { ...UI, ingressUrlFormat: "http://{{$app}}/" } });
    expect(caughtFrom(() => applicationObjects(anApplication(), operator))).toMatchObject({
      name: "PreparationError",
      message:
        'failed to configure web UI: failed to get ingress url: parse "http://{{$app}}/": invalid character "{" in host name',
    });
  });
});

test("a budget keeps the driver from eviction, and ends with it", () => {
  const application = anApplication({ driverPodDisruptionBudget: true });
  expect(applicationObjects(application, anOperator({ enableDriverPdb: true })).objects).toEqual([
    {
      when: "beside-driver",
      atEnd: "deleted",
      failure: "failed to ensure driver PDB: failed to create driver PDB",
      object: {
        apiVersion: "policy/v1",
        kind: "PodDisruptionBudget",
        metadata: {
          name: "pi-driver",
          namespace: "team",
          labels: {
            "sparkoperator.k8s.io/app-name": "pi",
            "sparkoperator.k8s.io/launched-by-spark-operator": "true",
          },
          ownerReferences: [OWNER],
        },
        spec: {
          minAvailable: 1,
          selector: { matchLabels: { "sparkoperator.k8s.io/app-name": "pi", "spark-role": "driver" } },
        },
      },
    },
  ]);
  expect(applicationObjects(anApplication(), anOperator({ enableDriverPdb: true })).objects).toEqual([]);
});
