#!/usr/bin/env bash
# A Slurm cluster of its own for a test: three nodes (or those of SLURM_HERE_NODES) of one processor on 127.0.0.1, in one folder, without systemd, cgroups or accounting.
#   slurm.sh start <folder>               ends when every node answers; SLURM_CONF is then <folder>/slurm.conf
#   slurm.sh stop <folder>                ends its jobs and daemons by their numbers
#   slurm.sh kill-node <folder> <node>    kill -9 of a slurmd         slurm.sh start-node <folder> <node>
#   slurm.sh kill-controller <folder>     kill -9 of slurmctld        slurm.sh start-controller <folder>
# Needs: apt-get install --no-install-recommends slurm-wlm munge
set -euo pipefail
PATH=$PATH:/usr/sbin:/sbin
verb=$1
mkdir -p "$2"
dir=$(cd "$2" && pwd -P)
conf=$dir/slurm.conf
export SLURM_CONF=$conf
nodes=${SLURM_HERE_NODES:-n1 n2 n3}

# The daemons listen on the address of the machine's name; where that is no loopback address they run under the name localhost.
host=$(hostname -s)
named=()
case $(getent hosts "$host" | awk 'NR == 1 { print $1 }') in
  127.* | ::1) ;;
  *) host=localhost; named=(unshare --uts sh -c 'hostname localhost && exec "$@"' sh) ;;
esac

is_over() { # a number that is gone, or a zombie that nobody has reaped
  local state
  state=$(sed 's/.*) //; s/ .*//' "/proc/$1/stat" 2>/dev/null) || return 0
  [ -z "$state" ] || [ "$state" = Z ]
}
until_true() { # <seconds> <command...>
  local last=$((SECONDS + $1)); shift
  until "$@"; do [ "$SECONDS" -lt "$last" ] || return 1; sleep 0.1; done
}
end_by_file() { # <file with the number> <seconds>
  local pid
  pid=$(cat "$1" 2>/dev/null) || return 0
  kill -TERM "$pid" 2>/dev/null || true
  until_true "$2" is_over "$pid" || kill -KILL "$pid" 2>/dev/null || true
  rm -f "$1"
}
free_ports() { # four in a row
  local base k
  for _ in $(seq 50); do
    base=$((20000 + RANDOM % 10000))
    for k in 0 1 2 3; do (exec 3<>"/dev/tcp/127.0.0.1/$((base + k))") 2>/dev/null && continue 2; done
    echo "$base"; return 0
  done
  return 1
}

write_conf() {
  local base name k=0
  base=$(free_ports)
  umask 022
  mkdir -p "$dir"/{state,log,run,munge}
  for name in $nodes; do mkdir -p "$dir/spool/$name"; done
  chmod 755 "$dir"; chmod 711 "$dir/munge"
  (umask 077; head -c 1024 /dev/urandom > "$dir/munge/key")
  cat > "$conf" <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$base
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$dir/munge/socket,cred_expire=5
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool/%n
SlurmctldPidFile=$dir/run/slurmctld.pid
SlurmdPidFile=$dir/run/%n.pid
SlurmctldLogFile=$dir/log/slurmctld.log
SlurmdLogFile=$dir/log/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
MpiDefault=none
SwitchType=switch/none
MailProg=/bin/true
PropagateResourceLimits=NONE
ReturnToService=2
SlurmdParameters=config_overrides
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1,batch_sched_delay=0,sched_min_interval=0
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdTimeout=10
SlurmctldTimeout=10
KillWait=5
MinJobAge=3600
InactiveLimit=0
Waittime=0
JobRequeue=1
TreeWidth=65533
CONF
  case $(slurmd -V | sed 's/[^0-9]*//') in
    2[0-2].* | 23.02.*) echo CgroupPlugin=cgroup/v1 > "$dir/cgroup.conf" ;;
    *) echo CgroupPlugin=disabled > "$dir/cgroup.conf" ;;
  esac
  for name in $nodes; do
    k=$((k + 1))
    echo "NodeName=$name NodeHostname=$host NodeAddr=127.0.0.1 Port=$((base + k)) CPUs=1 RealMemory=1000 State=UNKNOWN" >> "$conf"
  done
  echo "PartitionName=main Nodes=ALL Default=YES MaxTime=60 DefaultTime=10 State=UP OverSubscribe=NO" >> "$conf"
}

start_controller() { "${named[@]}" slurmctld -f "$conf" "$@" </dev/null >>"$dir/log/start.out" 2>&1; }
start_node() { rm -f "$dir/run/$1.pid"; "${named[@]}" slurmd -f "$conf" -N "$1" </dev/null >>"$dir/log/start.out" 2>&1; }
munge_works() { timeout 5 sh -c "munge -n -S '$dir/munge/socket' | unmunge -S '$dir/munge/socket'" >/dev/null 2>&1; }
all_up() { [ "$(timeout 5 sinfo -h -N -o %T 2>/dev/null | grep -cE '^(idle|mixed|allocated|completing)$')" -eq "$(echo $nodes | wc -w)" ]; }

start() {
  # Slurm finds no name where 127.0.0.1 is the only address
  if [ -z "$(hostname -I 2>/dev/null | tr -d ' ')" ]; then
    ip link set lo up 2>/dev/null || true
    ip addr add 127.0.0.2/8 dev lo 2>/dev/null || true
  fi
  write_conf
  "${named[@]}" munged --force --num-threads=2 --socket="$dir/munge/socket" --key-file="$dir/munge/key" --pid-file="$dir/munge/pid" \
    --log-file="$dir/munge/log" --seed-file="$dir/munge/seed" </dev/null >>"$dir/log/start.out" 2>&1
  until_true 5 munge_works
  start_controller -i
  for name in $nodes; do start_node "$name"; done
  until_true 30 all_up
}

# What tasks left behind when daemons were killed: their environment names this cluster.
left_over() {
  local p
  for p in /proc/[0-9]*; do
    { tr '\0' '\n' < "$p/environ" > "$dir/run/environ"; } 2>/dev/null || continue
    grep -qxF "SLURM_CONF=$conf" "$dir/run/environ" || continue
    if grep -q '^SLURM_JOB_ID=' "$dir/run/environ" || grep -q '^slurmstepd' "$p/comm" 2>/dev/null; then echo "${p#/proc/}"; fi
  done
}

stop() {
  [ -f "$conf" ] || return 0
  timeout 10 scancel --full --quiet --user="$(id -un)" >/dev/null 2>&1 || true
  for name in $nodes; do end_by_file "$dir/run/$name.pid" 3; done
  end_by_file "$dir/run/slurmctld.pid" 5
  local pid
  for pid in $(left_over); do kill -KILL "$pid" 2>/dev/null || true; done
  end_by_file "$dir/munge/pid" 3
}

case $verb in
  start) start || { tail -n 5 "$dir"/munge/log "$dir"/log/* >&2; stop; exit 1; } ;;
  stop) stop ;;
  kill-node) kill -KILL "$(cat "$dir/run/$3.pid")" ;;
  start-node) start_node "$3" ;;
  kill-controller) kill -KILL "$(cat "$dir/run/slurmctld.pid")" ;;
  start-controller) start_controller ;;
  *) echo "slurm.sh: unknown: $verb" >&2; exit 2 ;;
esac
