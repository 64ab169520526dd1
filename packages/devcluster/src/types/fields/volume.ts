/** Volumes of a pod, in the notation of `parse-schema.ts`. */
export const volumeTypes = `
package io.k8s.api.core.v1
Volume
  name!: string #1
  hostPath?: *HostPathVolumeSource #2.1
  emptyDir?: *EmptyDirVolumeSource #2.2
  gcePersistentDisk?: *GCEPersistentDiskVolumeSource #2.3
  awsElasticBlockStore?: *AWSElasticBlockStoreVolumeSource #2.4
  gitRepo?: *GitRepoVolumeSource #2.5
  secret?: *SecretVolumeSource #2.6
  nfs?: *NFSVolumeSource #2.7
  iscsi?: *ISCSIVolumeSource #2.8
  glusterfs?: *GlusterfsVolumeSource #2.9
  persistentVolumeClaim?: *PersistentVolumeClaimVolumeSource #2.10
  rbd?: *RBDVolumeSource #2.11
  flexVolume?: *FlexVolumeSource #2.12
  cinder?: *CinderVolumeSource #2.13
  cephfs?: *CephFSVolumeSource #2.14
  flocker?: *FlockerVolumeSource #2.15
  downwardAPI?: *DownwardAPIVolumeSource #2.16
  fc?: *FCVolumeSource #2.17
  azureFile?: *AzureFileVolumeSource #2.18
  configMap?: *ConfigMapVolumeSource #2.19
  vsphereVolume?: *VsphereVirtualDiskVolumeSource #2.20
  quobyte?: *QuobyteVolumeSource #2.21
  azureDisk?: *AzureDiskVolumeSource #2.22
  photonPersistentDisk?: *PhotonPersistentDiskVolumeSource #2.23
  projected?: *ProjectedVolumeSource #2.26
  portworxVolume?: *PortworxVolumeSource #2.24
  scaleIO?: *ScaleIOVolumeSource #2.25
  storageos?: *StorageOSVolumeSource #2.27
  csi?: *CSIVolumeSource #2.28
  ephemeral?: *EphemeralVolumeSource #2.29
  image?: *ImageVolumeSource #2.30
HostPathVolumeSource
  path!: string #1
  type?: *string #2 = ""
EmptyDirVolumeSource
  medium?: string #1
  sizeLimit?: *Quantity #2
GCEPersistentDiskVolumeSource
  pdName!: string #1
  fsType?: string #2
  partition?: int32 #3
  readOnly?: bool #4
AWSElasticBlockStoreVolumeSource
  volumeID!: string #1
  fsType?: string #2
  partition?: int32 #3
  readOnly?: bool #4
GitRepoVolumeSource
  repository!: string #1
  revision?: string #2
  directory?: string #3
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
ISCSIVolumeSource
  targetPortal!: string #1
  iqn!: string #2
  lun!: int32 #3
  iscsiInterface?: string #4 = "default"
  fsType?: string #5
  readOnly?: bool #6
  portals?: []string @atomic #7
  chapAuthDiscovery?: bool #8
  chapAuthSession?: bool #11
  secretRef?: *LocalObjectReference #10
  initiatorName?: *string #12
LocalObjectReference @atomic
  name?: string #1
GlusterfsVolumeSource
  endpoints!: string #1
  path!: string #2
  readOnly?: bool #3
PersistentVolumeClaimVolumeSource
  claimName!: string #1
  readOnly?: bool #2
RBDVolumeSource
  monitors!: []string @atomic #1
  image!: string #2
  fsType?: string #3
  pool?: string #4 = "rbd"
  user?: string #5 = "admin"
  keyring?: string #6 = "/etc/ceph/keyring"
  secretRef?: *LocalObjectReference #7
  readOnly?: bool #8
FlexVolumeSource
  driver!: string #1
  fsType?: string #2
  secretRef?: *LocalObjectReference #3
  readOnly?: bool #4
  options?: {}string #5
CinderVolumeSource
  volumeID!: string #1
  fsType?: string #2
  readOnly?: bool #3
  secretRef?: *LocalObjectReference #4
CephFSVolumeSource
  monitors!: []string @atomic #1
  path?: string #2
  user?: string #3
  secretFile?: string #4
  secretRef?: *LocalObjectReference #5
  readOnly?: bool #6
FlockerVolumeSource
  datasetName?: string #1
  datasetUUID?: string #2
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
FCVolumeSource
  targetWWNs?: []string @atomic #1
  lun?: *int32 #2
  fsType?: string #3
  readOnly?: bool #4
  wwids?: []string @atomic #5
AzureFileVolumeSource
  secretName!: string #1
  shareName!: string #2
  readOnly?: bool #3
ConfigMapVolumeSource
  name?: string #1.1
  items?: []KeyToPath @atomic #2
  defaultMode?: *int32 #3 = 420
  optional?: *bool #4
VsphereVirtualDiskVolumeSource
  volumePath!: string #1
  fsType?: string #2
  storagePolicyName?: string #3
  storagePolicyID?: string #4
QuobyteVolumeSource
  registry!: string #1
  volume!: string #2
  readOnly?: bool #3
  user?: string #4
  group?: string #5
  tenant?: string #6
AzureDiskVolumeSource
  diskName!: string #1
  diskURI!: string #2
  cachingMode?: *string #3 = "ReadWrite"
  fsType?: *string #4 = "ext4"
  readOnly?: *bool #5 = false
  kind?: *string #6 = "Shared"
PhotonPersistentDiskVolumeSource
  pdID!: string #1
  fsType?: string #2
ProjectedVolumeSource
  sources: []VolumeProjection @atomic #1
  defaultMode?: *int32 #2 = 420
VolumeProjection
  secret?: *SecretProjection #1
  downwardAPI?: *DownwardAPIProjection #2
  configMap?: *ConfigMapProjection #3
  serviceAccountToken?: *ServiceAccountTokenProjection #4
  clusterTrustBundle?: *ClusterTrustBundleProjection #5
  podCertificate?: *PodCertificateProjection #6
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
ClusterTrustBundleProjection
  name?: *string #1
  signerName?: *string #2
  labelSelector?: *LabelSelector #3
  optional?: *bool #5
  path!: string #4
PodCertificateProjection
  signerName?!: string #1
  keyType?!: string #2
  maxExpirationSeconds?: *int32 #3
  credentialBundlePath?: string #4
  keyPath?: string #5
  certificateChainPath?: string #6
PortworxVolumeSource
  volumeID!: string #1
  fsType?: string #2
  readOnly?: bool #3
ScaleIOVolumeSource
  gateway!: string #1
  system!: string #2
  secretRef!: *LocalObjectReference #3
  sslEnabled?: bool #4
  protectionDomain?: string #5
  storagePool?: string #6
  storageMode?: string #7 = "ThinProvisioned"
  volumeName?: string #8
  fsType?: string #9 = "xfs"
  readOnly?: bool #10
StorageOSVolumeSource
  volumeName?: string #1
  volumeNamespace?: string #2
  fsType?: string #3
  readOnly?: bool #4
  secretRef?: *LocalObjectReference #5
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
ImageVolumeSource
  reference?: string #1
  pullPolicy?: string #2
`;
