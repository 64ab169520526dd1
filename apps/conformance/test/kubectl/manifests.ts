type Manifests = Readonly<Record<string, string>>;

/** The manifests that the commands apply. `image` is an image with a shell that is on the real cluster's node. */
export function manifests(image: string): Manifests {
  return {
    ...SETTINGS_AND_SERVICES,
    ...podManifests(image),
    ...otherManifests(image),
    ...CUSTOM_RESOURCES,
    ...MISTAKES,
  };
}

const SETTINGS_AND_SERVICES: Manifests = {
  settings: `
apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
  labels: {app: demo}
data:
  colour: blue
  spark.properties: |
    spark.app.name=demo
    spark.executor.instances=2
`,
  settingsChanged: `
apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
  labels: {app: demo}
data:
  colour: green
`,
  web: `
apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  selector: {app: demo}
  ports:
  - {name: http, port: 80, targetPort: 8080}
---
apiVersion: v1
kind: Service
metadata:
  name: headless
spec:
  clusterIP: None
  selector: {app: demo}
  ports:
  - {name: driver-rpc-port, port: 7078}
`,
};

function podManifests(image: string): Manifests {
  return {
    gated: `
apiVersion: v1
kind: Pod
metadata:
  name: gated
  labels: {app: demo, spark-role: executor}
  annotations: {example.com/note: waits}
spec:
  schedulingGates: [{name: example.com/gate}]
  containers:
  - name: main
    image: ${image}
    args: [executor]
    env:
    - {name: PLAIN, value: text}
    - {name: COLOUR, valueFrom: {configMapKeyRef: {name: settings, key: colour}}}
    - {name: POD_IP, valueFrom: {fieldRef: {fieldPath: status.podIP}}}
    ports: [{name: http, containerPort: 8080}]
    resources:
      requests: {cpu: 100m, memory: 64Mi}
      limits: {memory: 128Mi}
    volumeMounts:
    - {name: conf, mountPath: /conf, readOnly: true}
    - {name: scratch, mountPath: /scratch}
  volumes:
  - {name: conf, configMap: {name: settings, defaultMode: 420}}
  - {name: scratch, emptyDir: {sizeLimit: 1Gi}}
`,
    runner: `
apiVersion: v1
kind: Pod
metadata:
  name: runner
  labels: {app: demo, spark-role: driver}
  annotations:
    hollow.devcluster.kindling/run-for: 0s
    hollow.devcluster.kindling/log: "one\\ntwo\\nthree"
spec:
  restartPolicy: Never
  terminationGracePeriodSeconds: 1
  containers:
  - name: main
    image: ${image}
    imagePullPolicy: IfNotPresent
    command: [sh, -c, "echo one; echo two; echo three"]
`,
    failing: `
apiVersion: v1
kind: Pod
metadata:
  name: failing
  annotations: {hollow.devcluster.kindling/run-for: 0s, hollow.devcluster.kindling/exit-code: "3"}
spec:
  restartPolicy: Never
  containers:
  - name: main
    image: ${image}
    imagePullPolicy: IfNotPresent
    command: [sh, -c, "exit 3"]
`,
    idle: `
apiVersion: v1
kind: Pod
metadata:
  name: idle
spec:
  terminationGracePeriodSeconds: 1
  containers:
  - name: main
    image: ${image}
    imagePullPolicy: IfNotPresent
    command: [sh, -c, "trap 'exit 0' TERM; sleep 1000 & wait"]
`,
  };
}

function otherManifests(image: string): Manifests {
  return {
    others: `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec:
  accessModes: [ReadWriteOnce]
  storageClassName: no-such-class
  resources: {requests: {storage: 1Gi}}
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: budget}
spec: {hard: {pods: "20", requests.cpu: "4"}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: spark}
rules:
- {apiGroups: [""], resources: [pods, services, configmaps], verbs: [get, list, watch, create, delete]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: spark}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: spark}
subjects: [{kind: ServiceAccount, name: spark}]
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: spark}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: driver}
spec:
  podSelector: {matchLabels: {spark-role: driver}}
  policyTypes: [Ingress]
  ingress: [{from: [{podSelector: {matchLabels: {spark-role: executor}}}]}]
---
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: leader}
spec: {holderIdentity: someone, leaseDurationSeconds: 15}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: service}
spec:
  replicas: 0
  selector: {matchLabels: {app: service}}
  template:
    metadata: {labels: {app: service}}
    spec: {containers: [{name: main, image: "${image}"}]}
`,
  };
}

const CUSTOM_RESOURCES: Manifests = {
  definition: `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.kubectl.kindling.example}
spec:
  group: kubectl.kindling.example
  scope: Namespaced
  names: {plural: gadgets, singular: gadget, kind: Gadget, shortNames: [gd]}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    additionalPrinterColumns: [{name: Size, type: integer, jsonPath: .spec.size}]
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            description: What the gadget shall be.
            required: [size]
            properties: {size: {type: integer, minimum: 1, description: How big it is.}}
          status: {type: object, x-kubernetes-preserve-unknown-fields: true}
`,
  gadget: `
apiVersion: kubectl.kindling.example/v1
kind: Gadget
metadata: {name: small}
spec: {size: 1}
`,
};

const MISTAKES: Manifests = {
  badGadget: `
apiVersion: kubectl.kindling.example/v1
kind: Gadget
metadata: {name: bad}
spec: {size: 0}
`,
  badPod: `
apiVersion: v1
kind: Pod
metadata: {name: bad_name}
spec: {containers: [{name: main, image: x, volumeMounts: [{name: nowhere, mountPath: /a}]}]}
`,
  unknownField: `
apiVersion: v1
kind: ConfigMap
metadata: {name: odd}
dta: {a: b}
`,
};
