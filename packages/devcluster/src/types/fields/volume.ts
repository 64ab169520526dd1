/** Volumes of a pod, in the notation of `parse-schema.ts`. */
export const volumeTypes = `
package io.k8s.api.core.v1
Volume
  name!: string #1
  hostPath?: *HostPathVolumeSource #2.1
  emptyDir?: *EmptyDirVolumeSource #2.2
  secret?: *SecretVolumeSource #2.6
  nfs?: *NFSVolumeSource #2.7
  persistentVolumeClaim?: *PersistentVolumeClaimVolumeSource #2.10
  downwardAPI?: *DownwardAPIVolumeSource #2.16
  configMap?: *ConfigMapVolumeSource #2.19
  projected?: *ProjectedVolumeSource #2.26
  csi?: *CSIVolumeSource #2.28
  ephemeral?: *EphemeralVolumeSource #2.29
HostPathVolumeSource
  path!: string #1
  type?: *string #2 = ""
EmptyDirVolumeSource
  medium?: string #1
  sizeLimit?: *Quantity #2
SecretVolumeSource
  secretName?: string #1
  items?: []KeyToPath @atomic #2
  defaultMode?: *int32 #3 = 420
  optional?: *bool #4
KeyToPath
  key!: string #1
  path!: string #2
  mode?: *int32 #3
NFSVolumeSource
  server!: string #1
  path!: string #2
  readOnly?: bool #3
LocalObjectReference @atomic
  name?: string #1
PersistentVolumeClaimVolumeSource
  claimName!: string #1
  readOnly?: bool #2
DownwardAPIVolumeSource
  items?: []DownwardAPIVolumeFile @atomic #1
  defaultMode?: *int32 #2 = 420
DownwardAPIVolumeFile
  path!: string #1
  fieldRef?: *ObjectFieldSelector #2
  resourceFieldRef?: *ResourceFieldSelector #3
  mode?: *int32 #4
ObjectFieldSelector @atomic
  apiVersion?: string #1 = "v1"
  fieldPath!: string #2
ResourceFieldSelector @atomic
  containerName?: string #1
  resource!: string #2
  divisor?: Quantity #3
ConfigMapVolumeSource
  name?: string #1.1
  items?: []KeyToPath @atomic #2
  defaultMode?: *int32 #3 = 420
  optional?: *bool #4
ProjectedVolumeSource
  sources: []VolumeProjection @atomic #1
  defaultMode?: *int32 #2 = 420
VolumeProjection
  secret?: *SecretProjection #1
  downwardAPI?: *DownwardAPIProjection #2
  configMap?: *ConfigMapProjection #3
  serviceAccountToken?: *ServiceAccountTokenProjection #4
SecretProjection
  name?: string #1.1
  items?: []KeyToPath @atomic #2
  optional?: *bool #4
DownwardAPIProjection
  items?: []DownwardAPIVolumeFile @atomic #1
ConfigMapProjection
  name?: string #1.1
  items?: []KeyToPath @atomic #2
  optional?: *bool #4
ServiceAccountTokenProjection
  audience?: string #1
  expirationSeconds?: *int64 #2 = 3600
  path!: string #3
CSIVolumeSource
  driver!: string #1
  readOnly?: *bool #2
  fsType?: *string #3
  volumeAttributes?: {}string #4
  nodePublishSecretRef?: *LocalObjectReference #5
EphemeralVolumeSource
  volumeClaimTemplate?: *PersistentVolumeClaimTemplate #1
PersistentVolumeClaimTemplate
  metadata?: ObjectMeta #1
  spec!: PersistentVolumeClaimSpec #2
PersistentVolumeClaimSpec
  accessModes?: []string @atomic #1
  selector?: *LabelSelector #4
  resources?: VolumeResourceRequirements #2
  volumeName?: string #3
  storageClassName?: *string #5
  volumeMode?: *string #6 = "Filesystem"
  dataSource?: *TypedLocalObjectReference #7
  dataSourceRef?: *TypedObjectReference #8
  volumeAttributesClassName?: *string #9
VolumeResourceRequirements
  limits?: {}Quantity #1
  requests?: {}Quantity #2
TypedLocalObjectReference @atomic
  apiGroup: *string #1
  kind!: string #2
  name!: string #3
TypedObjectReference
  apiGroup: *string #1
  kind!: string #2
  name!: string #3
  namespace?: *string #4
`;
