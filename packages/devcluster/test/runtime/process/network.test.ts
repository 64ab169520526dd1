import type { JsonObject } from "@kindling/test-kit/json";
import { connect } from "node:net";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { containersHere } from "./containers-here.ts";
import { NODE, ShellCluster, firstStatus } from "./shell-cluster.ts";

describe.skipIf(containersHere.missing)(`the pods' network${containersHere.note}`, () => {
  let shell: ShellCluster;

  beforeAll(async () => {
    shell = await ShellCluster.start();
  });

  afterAll(async () => {
    await shell.stop();
  });

  const PORT = 18_999;
  /** Answers each request with the pod's name. */
  const SERVER = `require("http").createServer((q, r) => r.end(process.env.HOSTNAME)).listen(${PORT}, process.env.IP)`;
  const FETCH = "fetch(process.argv[1]).then((r) => r.text()).then((text) => console.log(text))";

  async function server(labels: JsonObject): Promise<string> {
    const env = [{ name: "IP", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } }];
    const readinessProbe = { tcpSocket: { port: PORT }, periodSeconds: 1 };
    const container = { command: [NODE, "-e", SERVER], env, readinessProbe };
    const name = await shell.pod({ containers: [container] as never }, { labels });
    await shell.until(name, (pod) => firstStatus(pod).ready, `${name} to answer`);
    return name;
  }

  async function fetched(url: string): Promise<string> {
    return (await shell.output("", { command: [NODE, "-e", FETCH, url], args: [] })).trim();
  }

  async function hostsOf(wanted: string): Promise<string> {
    const name = await shell.script(
      `for i in $(seq 100); do grep -qF '${wanted}' /etc/hosts && break; sleep 0.05; done; cat /etc/hosts`,
    );
    await shell.finished(name);
    return await shell.log(name);
  }

  test("pods have addresses of their own, and their names", async () => {
    const [a, b] = [await shell.script("hostname -i; sleep 60"), await shell.script("sleep 60")];
    const [one, two] = [await shell.running(a), await shell.running(b)];
    expect(one.status.podIP).toMatch(/^127\.\d+\.\d+\.\d+$/);
    expect(one.status.podIP).not.toBe(two.status.podIP);
    expect(one.status.hostIP).toBe("127.0.0.1");
    expect(await shell.logged(a, "\n")).toBe(`${one.status.podIP ?? ""}\n`);
  });

  test("a service leads to the pods behind it, by all of its names", async () => {
    const name = await server({ app: "web" });
    const ports = [{ port: 8080, targetPort: PORT }];
    await shell.create("services", { metadata: { name: "web" }, spec: { selector: { app: "web" }, ports } });
    await hostsOf("web.default.svc");
    for (const host of ["web", "web.default", "web.default.svc", "web.default.svc.cluster.local"]) {
      expect(await fetched(`http://${host}:8080/`)).toBe(name);
    }
  });

  test("a headless service's name leads to its pods themselves, also when they come later", async () => {
    const spec = { clusterIP: "None", selector: { app: "head" }, ports: [{ port: PORT }] };
    await shell.create("services", { metadata: { name: "head" }, spec });
    const script =
      "until grep -q head.default.svc /etc/hosts; do sleep 0.05; done; grep -m 1 head.default.svc /etc/hosts";
    const waiting = await shell.script(script);
    await shell.running(waiting);
    const name = await server({ app: "head" });
    await shell.finished(waiting);
    const ip = (await shell.get(name))?.status.podIP ?? "";
    expect((await shell.log(waiting)).split("\t")[0]).toBe(ip);
    expect(await fetched(`http://head.default.svc:${PORT}/`)).toBe(name);
  });

  test("a service without pods refuses connections, and one that is deleted is gone", async () => {
    const ports = [{ port: 8081, targetPort: PORT }];
    const service = await shell.create("services", {
      metadata: { name: "empty" },
      spec: { selector: { app: "no" }, ports },
    });
    const address = String((service["spec"] as JsonObject)["clusterIP"]);
    await hostsOf("empty.default.svc");
    const knock = async (): Promise<string> => {
      const socket = connect({ host: address, port: 8081 });
      return await new Promise((resolve) => {
        socket.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? ""));
        socket.on("close", () => resolve("closed"));
      });
    };
    expect(await knock()).not.toBe("");
    await shell.request("DELETE", "/api/v1/namespaces/default/services/empty");
    await expect.poll(knock).toBe("ECONNREFUSED");
    expect(await shell.output("cat /etc/hosts")).not.toContain("empty.default");
  });

  test("the API server is reached by its service and by its variables", async () => {
    const script = "echo $KUBERNETES_SERVICE_HOST:$KUBERNETES_SERVICE_PORT";
    const address = (await shell.output(script)).trim();
    expect(await fetched(`http://${address}/version`)).toContain("gitVersion");
    const port = address.split(":")[1] ?? "";
    expect(await fetched(`http://kubernetes.default.svc:${port}/version`)).toContain("gitVersion");
  });

  test("this machine has a name", async () => {
    const own = createServer((_request, response) => response.end("the host"));
    own.listen(0, "127.0.0.1");
    await once(own, "listening");
    const { port } = own.address() as AddressInfo;
    expect(await fetched(`http://host.kindling.internal:${port}/`)).toBe("the host");
    own.close();
  });

  test("host names, subdomains and aliases of a pod are in its hosts file", async () => {
    const spec = { hostname: "one", subdomain: "many", hostAliases: [{ ip: "10.1.2.3", hostnames: ["elsewhere"] }] };
    const name = await shell.script("hostname; cat /etc/hosts", {}, spec);
    const pod = await shell.finished(name);
    const output = await shell.log(name);
    expect(output).toMatch(/^one\n/);
    expect(output).toContain(`${pod.status.podIP ?? ""}\tone.many.default.svc.cluster.local\tone\n`);
    expect(output).toContain("10.1.2.3\telsewhere\n");
  });
});
