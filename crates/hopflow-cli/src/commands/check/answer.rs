//! `hopflow check --answer`: runs scenarios and grades them as answers to exercises.

use hopflow::Grade;

use super::grader::Grader;
use super::{document, load};
use crate::args::{CheckArgs, TextOrJson};
use crate::fail::Fail;
use crate::{Outcome, diagnose, output};

pub(super) fn grade(args: &CheckArgs) -> Outcome {
    let grader = Grader::new(args)?;
    let [fine, right] = match args.format {
        TextOrJson::Text => in_words(args, &grader)?,
        TextOrJson::Json => {
            let document = document::of(&args.files, &args.settings, Some(&grader))?;
            output::print_json(&document)?;
            [document.fine, document.is_right()]
        }
    };
    match [fine, right] {
        [false, _] => Err(Fail::Said),
        [true, false] => Err(Fail::Property),
        [true, true] => Ok(()),
    }
}

/// A verdict on each file that is fine, and a line for each thing that is expected; what is wrong
/// is drawn. Returns whether all files are fine, and whether all answers are right.
fn in_words(args: &CheckArgs, grader: &Grader) -> Result<[bool; 2], Fail> {
    let (mut fine, mut right) = (true, true);
    for path in &args.files {
        let (file, scenario) = match load(path, &args.settings) {
            Ok(loaded) => loaded,
            Err(fail) => {
                fail.finish(diagnose::draw_all);
                fine = false;
                continue;
            }
        };
        match grader.grade(&file, &scenario)? {
            Ok(grade) => {
                right &= grade.right;
                output::write(&verdict(file.name(), &grade))?;
            }
            Err(wrong) => {
                diagnose::draw_all(&wrong);
                fine = false;
            }
        }
    }
    Ok([fine, right])
}

fn verdict(file: &str, grade: &Grade) -> String {
    let word = |right: bool| if right { "right" } else { "wrong" };
    let head = format!("{file}: {}\n", if grade.right { "right" } else { "not right" });
    let marks = grade.marks.iter();
    let lines = marks.map(|mark| format!("  {}: {}\n", word(mark.right), mark.text));
    [head].into_iter().chain(lines).collect()
}
