import { describe, expect, test } from "vitest";
import { caught } from "../fixtures/caught.ts";
import { kubeconfigHome } from "../fixtures/kubeconfig-home.ts";

describe("given options", () => {
  test("win over the kubeconfig, piece by piece", async () => {
    const folder = kubeconfigHome();
    const overlays = {
      server: "https://other.example.com:6443",
      namespace: "mine",
      caFile: folder.write("ca", "CA 3"),
      certFile: folder.write("cert", "CERT 3"),
      keyFile: folder.write("key", "KEY 3"),
      token: "token 3",
    };
    const access = await folder.load({ overlays });
    expect(access).toMatchObject({
      server: "https://other.example.com:6443",
      namespace: "mine",
      contextName: "dev",
      // The server name to check was for the other server.
      tls: { ca: "CA 3", servername: undefined, insecureSkipVerify: false },
    });
    expect(await access.credentials.current()).toEqual({
      authorization: "Bearer token 3",
      clientCertificate: { cert: "CERT 3", key: "KEY 3" },
    });
  });

  test("a token takes the place of the kubeconfig's certificate: it says who is calling", async () => {
    const access = await kubeconfigHome().load({ overlays: { token: "mine" } });
    expect(await access.credentials.current()).toEqual({ authorization: "Bearer mine" });
  });

  test("a token file is read, and named when it cannot be", async () => {
    const folder = kubeconfigHome();
    const good = await folder.load({ overlays: { tokenFile: folder.write("token", " from-file\n") } });
    expect(await good.credentials.current()).toEqual({ authorization: "Bearer from-file" });
    const bad = await folder.load({ overlays: { tokenFile: "/no/such/token" } });
    const error = await caught(Promise.resolve(bad.credentials.current()));
    expect(error.kind).toBe("credentials");
    expect(error.message).toContain("/no/such/token cannot be read (ENOENT)");
  });

  test("insecure switches all checks off", async () => {
    const access = await kubeconfigHome().load({ overlays: { insecure: true } });
    expect(access.tls).toMatchObject({ ca: undefined, insecureSkipVerify: true });
  });

  test.each([
    [{ token: "a", tokenFile: "b" }, "both a token and a token file are given"],
    [{ certFile: "a" }, "a client certificate file is given without the client key file"],
    [{ keyFile: "a" }, "a client key file is given without the client certificate file"],
    [{ caFile: "/no/such/ca" }, "the CA file /no/such/ca cannot be read (ENOENT)"],
    [{ server: "api.example.com:6443" }, "the given server: the server is not an http or https URL"],
    [
      { server: "https://ann:secret@api.example.com" },
      "the given server: the server's URL must not hold a user or password",
    ],
  ])("that cannot be are refused: %j", async (overlays, message) => {
    const error = await caught(kubeconfigHome().load({ overlays }));
    expect(error).toMatchObject({ kind: "config", message });
  });
});
