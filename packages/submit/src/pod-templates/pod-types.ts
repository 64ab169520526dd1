// Written by tools/references/pod-types.mjs.

/**
 * The types that pods and pod groups are made of, a line each: its name, then its fields by their types. `+2` behind a
 * field: only the third of the recorded releases of Spark's client knows it.
 */
export const POD_TYPES = `
AWSElasticBlockStoreVolumeSource string=fsType,volumeID int32=partition bool=readOnly
Affinity NodeAffinity=nodeAffinity PodAffinity=podAffinity PodAntiAffinity=podAntiAffinity
AppArmorProfile string=localhostProfile,type
AzureDiskVolumeSource string=cachingMode,diskName,diskURI,fsType,kind bool=readOnly
AzureFileVolumeSource bool=readOnly string=secretName,shareName
CSIVolumeSource string=driver,fsType LocalObjectReference=nodePublishSecretRef bool=readOnly {}string=volumeAttributes
Capabilities []string=add,drop
CephFSVolumeSource []string=monitors string=path,secretFile,user bool=readOnly LocalObjectReference=secretRef
CinderVolumeSource string=fsType,volumeID bool=readOnly LocalObjectReference=secretRef
ClusterTrustBundleProjection LabelSelector=labelSelector string=name,path,signerName bool=optional
ConfigMapEnvSource string=name bool=optional
ConfigMapKeySelector string=key,name bool=optional
ConfigMapProjection []KeyToPath=items string=name bool=optional
ConfigMapVolumeSource mode=defaultMode []KeyToPath=items string=name bool=optional
Container []string=args,command []EnvVar=env []EnvFromSource=envFrom string=image,imagePullPolicy,name,restartPolicy+1,terminationMessagePath,terminationMessagePolicy,workingDir Lifecycle=lifecycle Probe=livenessProbe,readinessProbe,startupProbe []ContainerPort=ports []ContainerResizePolicy=resizePolicy+1 ResourceRequirements=resources []ContainerRestartRule=restartPolicyRules+3 SecurityContext=securityContext bool=stdin,stdinOnce,tty []VolumeDevice=volumeDevices []VolumeMount=volumeMounts
ContainerPort int32=containerPort,hostPort string=hostIP,name,protocol
ContainerResizePolicy string=resourceName,restartPolicy
ContainerRestartRule string=action ContainerRestartRuleOnExitCodes=exitCodes
ContainerRestartRuleOnExitCodes string=operator []int32=values
DownwardAPIProjection []DownwardAPIVolumeFile=items
DownwardAPIVolumeFile ObjectFieldSelector=fieldRef mode=mode string=path ResourceFieldSelector=resourceFieldRef
DownwardAPIVolumeSource mode=defaultMode []DownwardAPIVolumeFile=items
EmptyDirVolumeSource string=medium Quantity=sizeLimit
EnvFromSource ConfigMapEnvSource=configMapRef string=prefix SecretEnvSource=secretRef
EnvVar string=name,value EnvVarSource=valueFrom
EnvVarSource ConfigMapKeySelector=configMapKeyRef ObjectFieldSelector=fieldRef FileKeySelector=fileKeyRef+3 ResourceFieldSelector=resourceFieldRef SecretKeySelector=secretKeyRef
EphemeralContainer []string=args,command []EnvVar=env []EnvFromSource=envFrom string=image,imagePullPolicy,name,restartPolicy+1,targetContainerName,terminationMessagePath,terminationMessagePolicy,workingDir Lifecycle=lifecycle Probe=livenessProbe,readinessProbe,startupProbe []ContainerPort=ports []ContainerResizePolicy=resizePolicy+1 ResourceRequirements=resources []ContainerRestartRule=restartPolicyRules+3 SecurityContext=securityContext bool=stdin,stdinOnce,tty []VolumeDevice=volumeDevices []VolumeMount=volumeMounts
EphemeralVolumeSource PersistentVolumeClaimTemplate=volumeClaimTemplate
ExecAction []string=command
FCVolumeSource string=fsType int32=lun bool=readOnly []string=targetWWNs,wwids
FieldsV1
FileKeySelector string=key,path,volumeName bool=optional
FlexVolumeSource string=driver,fsType {}string=options bool=readOnly LocalObjectReference=secretRef
FlockerVolumeSource string=datasetName,datasetUUID
GCEPersistentDiskVolumeSource string=fsType,pdName int32=partition bool=readOnly
GRPCAction int32=port string=service
GitRepoVolumeSource string=directory,repository,revision
GlusterfsVolumeSource string=endpoints,path bool=readOnly
HTTPGetAction string=host,path,scheme []HTTPHeader=httpHeaders IntOrString=port
HTTPHeader string=name,value
HostAlias []string=hostnames string=ip
HostPathVolumeSource string=path,type
ISCSIVolumeSource bool=chapAuthDiscovery,chapAuthSession,readOnly string=fsType,initiatorName,iqn,iscsiInterface,targetPortal int32=lun []string=portals LocalObjectReference=secretRef
ImageVolumeSource string=pullPolicy,reference
KeyToPath string=key,path mode=mode
LabelSelector []LabelSelectorRequirement=matchExpressions {}string=matchLabels
LabelSelectorRequirement string=key,operator []string=values
Lifecycle LifecycleHandler=postStart,preStop string=stopSignal+2
LifecycleHandler ExecAction=exec HTTPGetAction=httpGet SleepAction=sleep+1 TCPSocketAction=tcpSocket
LocalObjectReference string=name
ManagedFieldsEntry string=apiVersion,fieldsType,manager,operation,subresource,time FieldsV1=fieldsV1
NFSVolumeSource string=path,server bool=readOnly
NodeAffinity []PreferredSchedulingTerm=preferredDuringSchedulingIgnoredDuringExecution NodeSelector=requiredDuringSchedulingIgnoredDuringExecution
NodeSelector []NodeSelectorTerm=nodeSelectorTerms
NodeSelectorRequirement string=key,operator []string=values
NodeSelectorTerm []NodeSelectorRequirement=matchExpressions,matchFields
ObjectFieldSelector string=apiVersion,fieldPath
ObjectMeta {}string=annotations,labels string=creationTimestamp,deletionTimestamp,generateName,name,namespace,resourceVersion,selfLink,uid int64=deletionGracePeriodSeconds,generation []string=finalizers []ManagedFieldsEntry=managedFields []OwnerReference=ownerReferences
OwnerReference string=apiVersion,kind,name,uid bool=blockOwnerDeletion,controller
PersistentVolumeClaimSpec []string=accessModes TypedLocalObjectReference=dataSource TypedObjectReference=dataSourceRef VolumeResourceRequirements=resources LabelSelector=selector string=storageClassName,volumeAttributesClassName+1,volumeMode,volumeName
PersistentVolumeClaimTemplate ObjectMeta=metadata PersistentVolumeClaimSpec=spec
PersistentVolumeClaimVolumeSource string=claimName bool=readOnly
PhotonPersistentDiskVolumeSource string=fsType,pdID
Pod string=apiVersion,kind ObjectMeta=metadata PodSpec=spec any=status
PodAffinity []WeightedPodAffinityTerm=preferredDuringSchedulingIgnoredDuringExecution []PodAffinityTerm=requiredDuringSchedulingIgnoredDuringExecution
PodAffinityTerm LabelSelector=labelSelector,namespaceSelector []string=matchLabelKeys+1,mismatchLabelKeys+1,namespaces string=topologyKey
PodAntiAffinity []WeightedPodAffinityTerm=preferredDuringSchedulingIgnoredDuringExecution []PodAffinityTerm=requiredDuringSchedulingIgnoredDuringExecution
PodCertificateProjection string=certificateChainPath,credentialBundlePath,keyPath,keyType,signerName int32=maxExpirationSeconds {}string=userAnnotations
PodDNSConfig []string=nameservers,searches []PodDNSConfigOption=options
PodDNSConfigOption string=name,value
PodGroup string=apiVersion,kind ObjectMeta=metadata PodGroupSpec=spec any=status
PodGroupSpec int32=minMember {}Quantity=minResources {}int32=minTaskMember string=priorityClassName,queue
PodOS string=name
PodReadinessGate string=conditionType
PodResourceClaim string=name,resourceClaimName+1,resourceClaimTemplateName+1
PodSchedulingGate string=name
PodSecurityContext AppArmorProfile=appArmorProfile+1 int64=fsGroup,runAsGroup,runAsUser string=fsGroupChangePolicy,seLinuxChangePolicy+1,supplementalGroupsPolicy+1 bool=runAsNonRoot SELinuxOptions=seLinuxOptions SeccompProfile=seccompProfile []int64=supplementalGroups []Sysctl=sysctls WindowsSecurityContextOptions=windowsOptions
PodSpec int64=activeDeadlineSeconds,terminationGracePeriodSeconds Affinity=affinity bool=automountServiceAccountToken,enableServiceLinks,hostIPC,hostNetwork,hostPID,hostUsers,setHostnameAsFQDN,shareProcessNamespace []Container=containers,initContainers PodDNSConfig=dnsConfig string=dnsPolicy,hostname,hostnameOverride+3,nodeName,preemptionPolicy,priorityClassName,restartPolicy,runtimeClassName,schedulerName,serviceAccount,serviceAccountName,subdomain []EphemeralContainer=ephemeralContainers []HostAlias=hostAliases []LocalObjectReference=imagePullSecrets {}string=nodeSelector PodOS=os {}Quantity=overhead int32=priority []PodReadinessGate=readinessGates []PodResourceClaim=resourceClaims ResourceRequirements=resources+1 []PodSchedulingGate=schedulingGates PodSecurityContext=securityContext []Toleration=tolerations []TopologySpreadConstraint=topologySpreadConstraints []Volume=volumes WorkloadReference=workloadRef+3
PortworxVolumeSource string=fsType,volumeID bool=readOnly
PreferredSchedulingTerm NodeSelectorTerm=preference int32=weight
Probe ExecAction=exec int32=failureThreshold,initialDelaySeconds,periodSeconds,successThreshold,timeoutSeconds GRPCAction=grpc HTTPGetAction=httpGet TCPSocketAction=tcpSocket int64=terminationGracePeriodSeconds
ProjectedVolumeSource mode=defaultMode []VolumeProjection=sources
QuobyteVolumeSource string=group,registry,tenant,user,volume bool=readOnly
RBDVolumeSource string=fsType,image,keyring,pool,user []string=monitors bool=readOnly LocalObjectReference=secretRef
ResourceClaim string=name,request+1
ResourceFieldSelector string=containerName,resource Quantity=divisor
ResourceRequirements []ResourceClaim=claims {}Quantity=limits,requests
SELinuxOptions string=level,role,type,user
ScaleIOVolumeSource string=fsType,gateway,protectionDomain,storageMode,storagePool,system,volumeName bool=readOnly,sslEnabled LocalObjectReference=secretRef
SeccompProfile string=localhostProfile,type
SecretEnvSource string=name bool=optional
SecretKeySelector string=key,name bool=optional
SecretProjection []KeyToPath=items string=name bool=optional
SecretVolumeSource mode=defaultMode []KeyToPath=items bool=optional string=secretName
SecurityContext bool=allowPrivilegeEscalation,privileged,readOnlyRootFilesystem,runAsNonRoot AppArmorProfile=appArmorProfile+1 Capabilities=capabilities string=procMount int64=runAsGroup,runAsUser SELinuxOptions=seLinuxOptions SeccompProfile=seccompProfile WindowsSecurityContextOptions=windowsOptions
ServiceAccountTokenProjection string=audience,path int64=expirationSeconds
SleepAction int64=seconds
StorageOSVolumeSource string=fsType,volumeName,volumeNamespace bool=readOnly LocalObjectReference=secretRef
Sysctl string=name,value
TCPSocketAction string=host IntOrString=port
Toleration string=effect,key,operator,value int64=tolerationSeconds
TopologySpreadConstraint LabelSelector=labelSelector []string=matchLabelKeys int32=maxSkew,minDomains string=nodeAffinityPolicy,nodeTaintsPolicy,topologyKey,whenUnsatisfiable
TypedLocalObjectReference string=apiGroup,kind,name
TypedObjectReference string=apiGroup,kind,name,namespace
Volume AWSElasticBlockStoreVolumeSource=awsElasticBlockStore AzureDiskVolumeSource=azureDisk AzureFileVolumeSource=azureFile CephFSVolumeSource=cephfs CinderVolumeSource=cinder ConfigMapVolumeSource=configMap CSIVolumeSource=csi DownwardAPIVolumeSource=downwardAPI EmptyDirVolumeSource=emptyDir EphemeralVolumeSource=ephemeral FCVolumeSource=fc FlexVolumeSource=flexVolume FlockerVolumeSource=flocker GCEPersistentDiskVolumeSource=gcePersistentDisk GitRepoVolumeSource=gitRepo GlusterfsVolumeSource=glusterfs HostPathVolumeSource=hostPath ImageVolumeSource=image+1 ISCSIVolumeSource=iscsi string=name NFSVolumeSource=nfs PersistentVolumeClaimVolumeSource=persistentVolumeClaim PhotonPersistentDiskVolumeSource=photonPersistentDisk PortworxVolumeSource=portworxVolume ProjectedVolumeSource=projected QuobyteVolumeSource=quobyte RBDVolumeSource=rbd ScaleIOVolumeSource=scaleIO SecretVolumeSource=secret StorageOSVolumeSource=storageos VsphereVirtualDiskVolumeSource=vsphereVolume
VolumeDevice string=devicePath,name
VolumeMount string=mountPath,mountPropagation,name,recursiveReadOnly+1,subPath,subPathExpr bool=readOnly
VolumeProjection ClusterTrustBundleProjection=clusterTrustBundle+1 ConfigMapProjection=configMap DownwardAPIProjection=downwardAPI PodCertificateProjection=podCertificate+3 SecretProjection=secret ServiceAccountTokenProjection=serviceAccountToken
VolumeResourceRequirements {}Quantity=limits,requests
VsphereVirtualDiskVolumeSource string=fsType,storagePolicyID,storagePolicyName,volumePath
WeightedPodAffinityTerm PodAffinityTerm=podAffinityTerm int32=weight
WindowsSecurityContextOptions string=gmsaCredentialSpec,gmsaCredentialSpecName,runAsUserName bool=hostProcess
WorkloadReference string=name,podGroup,podGroupReplicaKey
`;
