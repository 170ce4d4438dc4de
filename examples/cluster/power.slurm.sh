#!/bin/bash
# Submit:  mkdir -p runs/a && sbatch <this file>      (run it again to redo lost tasks; finished pieces are kept)
# Answer:  gosset power likert --items 100 --raters 5 --effect 0.1 --setting card-high --replicates 20000 --journal runs/a
#SBATCH --array=0-63
#SBATCH --job-name=gosset-8a087df727
#SBATCH --cpus-per-task=1
#SBATCH --time=120
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=B:USR1@60
#SBATCH --output=runs/a/%x.%a.out
exec gosset power likert --items 100 --raters 5 --effect 0.1 --setting card-high --replicates 20000 --journal runs/a --quiet --shard /64 --workers "${SLURM_CPUS_PER_TASK:-1}"
