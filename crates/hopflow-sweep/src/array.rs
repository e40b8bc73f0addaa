//! Array: a sweep as a job array of Slurm.
//!
//! `batches.txt` lists the batches that lacked runs when it was written, by the names of their
//! files. Task k of n executes every n-th of them from the k-th on, except those whose files exist.
//! So a task may be killed, requeued or started twice: it loses at most one batch, and two copies
//! of it write the same bytes. Tasks need no lock.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use hopflow_scenario::regular;

use crate::shape::quoted;
use crate::store::{LIST, LOG, SCRIPT, write_file};
use crate::{Batch, Plan, Store, SweepError};

/// Batches of each task, if there are enough points. A killed task loses one of them.
const BATCHES_PER_TASK: u64 = 20;

/// A job array that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// The file for `sbatch`.
    pub script: PathBuf,
    /// The number of batches.
    pub batches: u64,
    /// The number of tasks, at most that of batches.
    pub tasks: u32,
}

impl Array {
    /// Writes the list of the batches that `store` lacks, and the file for `sbatch`. `program` is
    /// the command for hopflow in a shell of the cluster. Tasks run in the folder `here`: paths of
    /// files that the scenario names are relative to it. `None`: the sweep lacks no run.
    pub fn lay_out(
        store: &Store,
        tasks: NonZeroU32,
        program: &str,
        here: &Path,
    ) -> Result<Option<Array>, SweepError> {
        let most = store.shape().grid.points().div_ceil(u64::from(tasks.get()) * BATCHES_PER_TASK);
        let mut batches: Vec<Batch> = Vec::new();
        while let Some(batch) = store.next_batch(batches.last().map_or(0, |one| one.end), most) {
            batches.push(batch);
        }
        let folder = std::path::absolute(store.folder())
            .map_err(|cause| SweepError::read(store.folder(), cause))?;
        let count = batches.len() as u64;
        let tasks = count.min(u64::from(tasks.get())) as u32;
        if tasks == 0 {
            return Ok(None);
        }
        let names: String = batches.iter().map(|batch| batch.name() + "\n").collect();
        let name = &store.shape().file().name;
        let text = script(name, tasks, program, here, &folder);
        let script = store.folder().join(SCRIPT);
        for (path, text) in [(store.folder().join(LIST), names), (script.clone(), text)] {
            let stored = store.count();
            let written = write_file(&path, text.as_bytes());
            written.map_err(|cause| SweepError::Write { path, stored, cause })?;
        }
        Ok(Some(Array { script, batches: count, tasks }))
    }

    /// Executes the remaining batches of task `task` of `of`. Returns the number of these, and of
    /// those that existed. `None`: `cancel` was true.
    pub fn task(
        plan: &Plan,
        folder: &Path,
        task: u32,
        of: u32,
        cancel: &Arc<AtomicBool>,
    ) -> Result<Option<(u64, u64)>, SweepError> {
        let path = folder.join(LIST);
        let text = regular::read_text(&path).map_err(|cause| {
            SweepError::read(&path, format!("{cause}; `hopflow sweep --engine slurm` writes it"))
        })?;
        let (mut made, mut others) = (0, 0);
        for name in text.lines().skip(task as usize).step_by(of as usize) {
            let wrong = || SweepError::read(&path, format!("`{name}` is not a batch"));
            let batch = Batch::of_name(name).ok_or_else(wrong)?;
            if batch.path(folder).exists() {
                others += 1;
                continue;
            }
            let Some(rows) = batch.make(plan, cancel)? else { return Ok(None) };
            batch.write(folder, &rows)?;
            made += 1;
        }
        Ok(Some((made, others)))
    }
}

/// The file for `sbatch`. The shell redirects the output of tasks, because Slurm would interpret a
/// path in a line of `#SBATCH` as a pattern.
fn script(name: &str, tasks: u32, program: &str, here: &Path, folder: &Path) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    let name: String = name.chars().map(plain).collect();
    let (here, folder) = (quoted(&here.display().to_string()), folder.display().to_string());
    let log = quoted(&format!("{folder}/{LOG}"));
    let last = tasks - 1;
    format!(
        "#!/bin/sh\n\
         # Written by `hopflow sweep --engine slurm`. A task that is put back into the queue, or\n\
         # started twice, continues where it was. Then: hopflow sweep compact DIR\n\
         #SBATCH --job-name=hopflow-{name}\n\
         #SBATCH --array=0-{last}\n\
         #SBATCH --ntasks=1\n\
         #SBATCH --cpus-per-task=1\n\
         #SBATCH --requeue\n\
         #SBATCH --open-mode=append\n\
         #SBATCH --output=/dev/null\n\
         exec >>{log}\"$SLURM_ARRAY_TASK_ID\".out 2>&1\n\
         cd {here} || exit 2\n\
         exec {program} sweep batch {folder} --task \"$SLURM_ARRAY_TASK_ID\" --of {tasks}\n",
        folder = quoted(&folder),
    )
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::plan::tests::plan;
    use crate::{Local, StoreOptions, sweep};

    fn open(folder: &Path, plan: &Plan) -> Store {
        Store::open(folder, plan.shape(), StoreOptions::default()).unwrap()
    }

    /// Claim: the tasks of an array, in any order, one of them twice and one after a kill, execute
    /// every batch once, and the dataset has the bytes of the sweep on one machine. An array that
    /// is written again lists only missing batches.
    #[test]
    fn tasks_make_every_batch_once() {
        let plan = plan(&["flow.VC1.source.rate=10..410 Mb/s/41"], 1);
        let [here, other] = [0, 1].map(|_| tempfile::tempdir().unwrap());
        let threads = Local { threads: 1.try_into().unwrap() };
        let done = sweep(&plan, open(other.path(), &plan), &threads, &Arc::default(), None);
        let expected = fs::read(done.unwrap().dataset.unwrap()).unwrap();
        let (folder, never) = (here.path(), Arc::default());
        let lay_out = |tasks: u32| {
            let store = open(folder, &plan);
            Array::lay_out(&store, tasks.try_into().unwrap(), "hopflow", Path::new("/a b")).unwrap()
        };
        let array = lay_out(1).expect("all lack");
        assert_eq!((array.batches, array.tasks), (14, 1), "41 points by 3");
        let array = lay_out(3).expect("all lack");
        assert_eq!((array.batches, array.tasks), (41, 3));
        let text = fs::read_to_string(&array.script).unwrap();
        for line in ["#SBATCH --array=0-2", "#SBATCH --requeue", "cd '/a b' || exit 2"] {
            assert!(text.lines().any(|one| one == line), "{line}: {text}");
        }
        let task = |task| Array::task(&plan, folder, task, 3, &never).unwrap();
        assert_eq!([task(2), task(2)], [Some((13, 0)), Some((0, 13))]);
        assert_eq!(task(0), Some((14, 0)));
        let cancelled = Arc::new(AtomicBool::new(true));
        assert_eq!(Array::task(&plan, folder, 1, 3, &cancelled).unwrap(), None);
        let again = lay_out(2).expect("a third lacks");
        assert_eq!((again.batches, again.tasks), (14, 2));
        for number in [1, 0] {
            assert_eq!(Array::task(&plan, folder, number, 2, &never).unwrap(), Some((7, 0)));
        }
        let mut store = open(folder, &plan);
        assert!(fs::read(store.compact().unwrap()).unwrap() == expected);
        drop(store);
        assert_eq!(lay_out(9), None);
    }
}
