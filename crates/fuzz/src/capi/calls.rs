//! The calls of the C API, by subject.

use std::ffi::c_int;
use std::ptr::{null, null_mut};

use arbitrary::Result;
use slidingtilepdb::*;

use super::results::{Failure, on_progress, on_report, take_board, take_report, take_text};
use super::{Caller, MAX_NODES, SIZES, Text, zeroed};
use crate::manifest::SOUND;
use crate::reference::TABLES;

impl Caller<'_, '_> {
    /// Up to three files for a solver. Each is a packed table or a table, unchanged or changed.
    fn files(&mut self) -> Result<Vec<Vec<u8>>> {
        let mut files: Vec<Vec<u8>> = Vec::new();
        for _ in 0..self.any::<u8>()? % 4 {
            let mut file = match usize::from(self.any::<u8>()?) % (TABLES.len() + 1) {
                0 => SOUND.0.clone(),
                table => TABLES[table - 1].clone(),
            };
            if self.any::<u8>()? < 128 {
                let at = usize::from(self.any::<u16>()?) % file.len();
                file[at] ^= self.any::<u8>()?;
                file.truncate(usize::from(self.any::<u16>()?).max(1));
            }
            files.push(file);
        }
        Ok(files)
    }

    pub(super) fn open(&mut self) -> Result<()> {
        let texts = [self.text()?, self.text()?, self.text()?, self.text()?];
        let size = match self.any::<u8>()? {
            0..200 => SIZES[usize::from(self.any::<u8>()?) % SIZES.len()].as_ptr(),
            _ => texts[0].as_ptr(),
        };
        let files = self.files()?;
        let bytes = |file: &Vec<u8>| stp_bytes {
            data: file.as_ptr(),
            length: file.len(),
        };
        let mut tables: Vec<stp_bytes> = files.iter().map(bytes).collect();
        if self.any::<u8>()? > 240 {
            tables.push(stp_bytes {
                data: null(),
                length: self.any()?,
            });
        }
        let cancel = stp_cancel_new();
        if self.any::<u8>()? > 240 {
            // SAFETY: the token is not freed.
            unsafe { stp_cancel_cancel(cancel) };
        }
        let options = stp_open_options {
            size,
            goal: texts[1].as_ptr(),
            metric: self.either(128, null(), texts[2].as_ptr())?,
            partition: texts[3].as_ptr(),
            // A path that cannot be a directory.
            directory: self.either(240, null(), c"/dev/null/x".as_ptr())?,
            tables: match tables.is_empty() {
                true => null(),
                false => tables.as_ptr(),
            },
            table_count: tables.len(),
            // Short enough that only small tables are built.
            max_build_time: match self.real()? {
                time if time == 0.0 || time > 1e-3 => 1e-3,
                time => time,
            },
            max_memory: self.mostly(200, 0)?,
            threads: self.either(250, 1, 4097)?,
            load: self.small()?,
            cancel,
            ..zeroed()
        };
        let options = self.sized(options)?;
        let mut solver = std::ptr::dangling_mut::<stp_solver>();
        let mut failure = Failure::new();
        // SAFETY: `options` has the length that its size field states. The options and everything
        // that they point to live until the call has returned. The results of the call are freed
        // once.
        unsafe {
            let code =
                stp_solver_open(options.as_ptr().cast(), &raw mut solver, &raw mut failure.0);
            failure.check(code);
            assert_eq!(code == STP_OK, !solver.is_null());
            if !solver.is_null() {
                let (mut json, mut failure) = (null_mut(), Failure::new());
                let code = stp_solver_info(solver, &raw mut json, &raw mut failure.0);
                failure.check(code);
                take_text(code, json);
                stp_solver_free(solver);
            }
            stp_cancel_free(cancel);
        }
        Ok(())
    }

    /// Options with small limits. `answer` is the return value of the callbacks.
    fn options(&mut self, answer: &mut c_int, cancel: *const stp_cancel) -> Result<Vec<u64>> {
        let nodes = self.any::<u16>()?;
        let options = stp_solve_options {
            mode: self.small()?,
            notation: self.small()?,
            threads: self.either(250, 1, 4097)?,
            short_solution: self.small()?,
            explain: self.small()?,
            pruning: self.small()?,
            max_time: self.real()?,
            max_nodes: 1 + u64::from(nodes) % MAX_NODES,
            max_memory: self.mostly(200, 1 << 20)?,
            seed: self.any()?,
            within: self.real()?,
            cancel,
            on_progress: self.either::<stp_on_progress>(128, None, Some(on_progress))?,
            user_data: std::ptr::from_mut(answer).cast(),
            ..zeroed()
        };
        self.sized(options)
    }

    pub(super) fn search(&mut self) -> Result<()> {
        let (solver, board) = (self.solver()?, self.text()?);
        let mut answer = c_int::from(self.any::<u8>()? > 200);
        let options = self.options(&mut answer, null())?;
        let (within, most) = (
            u32::from(self.any::<u8>()? % 4),
            usize::from(self.any::<u8>()?),
        );
        let is_all = self.any::<u8>()? < 64;
        // If the options struct is too short to include the limits, the search is not limited and
        // runs to its end.
        let mut report = std::ptr::dangling_mut::<stp_report>();
        let mut failure = Failure::new();
        // SAFETY: the solver is null or never freed; all other pointers are to local variables.
        let code = unsafe {
            let options = options.as_ptr().cast();
            let (report, error) = (&raw mut report, &raw mut failure.0);
            match is_all {
                true => stp_solver_all_solutions(
                    solver,
                    board.as_ptr(),
                    within,
                    most,
                    options,
                    report,
                    error,
                ),
                false => stp_solver_solve(solver, board.as_ptr(), options, report, error),
            }
        };
        failure.check(code);
        take_report(code, report);
        Ok(())
    }

    pub(super) fn list(&mut self) -> Result<()> {
        let solver = self.solver()?;
        let boards = [self.text()?, self.text()?, self.text()?];
        let pointers = boards.each_ref().map(Text::as_ptr);
        let count = usize::from(self.any::<u8>()?) % 4;
        let mut answer = c_int::from(self.any::<u8>()? > 200);
        let options = self.options(&mut answer, null())?;
        let on_each = self.either::<stp_on_report>(250, Some(on_report), None)?;
        let mut failure = Failure::new();
        // SAFETY: the solver is null or never freed; all other pointers are to local variables.
        let code = unsafe {
            stp_solver_solve_list(
                solver,
                pointers.as_ptr(),
                count,
                options.as_ptr().cast(),
                on_each,
                (&raw mut answer).cast(),
                &raw mut failure.0,
            )
        };
        failure.check(code);
        Ok(())
    }

    pub(super) fn advice(&mut self) -> Result<()> {
        let (solver, board, moves) = (self.solver()?, self.text()?, self.text()?);
        let mut answer = c_int::from(self.any::<u8>()? > 200);
        let options = self.options(&mut answer, null())?;
        let is_hint = self.any::<u8>()? < 128;
        let (mut json, mut failure) = (std::ptr::dangling_mut(), Failure::new());
        // SAFETY: the solver is null or never freed; all other pointers are to local variables.
        let code = unsafe {
            let (json, error) = (&raw mut json, &raw mut failure.0);
            let options = options.as_ptr().cast();
            match is_hint {
                true => stp_solver_hint(solver, board.as_ptr(), options, json, error),
                false => {
                    stp_solver_rate(solver, board.as_ptr(), moves.as_ptr(), options, json, error)
                }
            }
        };
        failure.check(code);
        take_text(code, json);
        Ok(())
    }

    pub(super) fn look(&mut self) -> Result<()> {
        let (solver, board, moves) = (self.solver()?, self.text()?, self.text()?);
        let (goal, style) = (self.text()?, self.text()?);
        let (mut given, mut failure) = (std::ptr::dangling_mut(), Failure::new());
        let to = self.small()?;
        let choice = self.any::<u8>()? % 6;
        // SAFETY: the solver is null or never freed; all other pointers are to local variables.
        let code = unsafe {
            let (text, error) = (&raw mut given, &raw mut failure.0);
            let board = board.as_ptr();
            match choice {
                0 => stp_solver_probe(solver, board, text, error),
                1 => stp_moves_convert(board, moves.as_ptr(), to, text, error),
                2 => stp_moves_invert(moves.as_ptr(), text, error),
                3 | 4 => {
                    let (goal, style) = (goal.as_ptr(), style.as_ptr());
                    stp_board_draw(board, goal, style, moves.as_ptr(), text, error)
                }
                _ => {
                    let mut estimate = 77;
                    let code = stp_solver_estimate(solver, board, &raw mut estimate, error);
                    assert!(code == STP_OK || estimate == 0);
                    failure.check(code);
                    return Ok(());
                }
            }
        };
        failure.check(code);
        take_text(code, given);
        Ok(())
    }

    pub(super) fn boards(&mut self) -> Result<()> {
        let (board, size) = (self.text()?, self.text()?);
        let (moves, goal) = (self.text()?, self.text()?);
        let (mut given, mut failure) = (std::ptr::dangling_mut(), Failure::new());
        let choice = self.any::<u8>()? % 5;
        let numbers: [u16; 16] = self.any()?;
        let (columns, rows) = (
            u32::from(self.any::<u8>()? % 5),
            u32::from(self.any::<u8>()? % 5),
        );
        // SAFETY: all pointers are to local variables. There are at most as many numbers as cells.
        let code = unsafe {
            let (place, error) = (&raw mut given, &raw mut failure.0);
            match choice {
                0 => stp_board_parse(board.as_ptr(), size.as_ptr(), place, error),
                1 => stp_board_of_numbers(numbers.as_ptr(), columns, rows, place, error),
                2 => stp_board_of_goal(goal.as_ptr(), size.as_ptr(), place, error),
                3 => {
                    let mut is_goal = 77;
                    let (moves, goal) = (moves.as_ptr(), goal.as_ptr());
                    stp_board_apply(board.as_ptr(), moves, goal, place, &raw mut is_goal, error)
                }
                _ => {
                    let mut swap = [77; 2];
                    let (board, goal) = (board.as_ptr(), goal.as_ptr());
                    let code = stp_board_check(board, goal, swap.as_mut_ptr(), error);
                    assert!(swap[0] < swap[1] || swap == [0, 0]);
                    assert!(code == STP_UNSOLVABLE || swap == [0, 0]);
                    failure.check(code);
                    return Ok(());
                }
            }
        };
        failure.check(code);
        take_board(code, given);
        Ok(())
    }

    pub(super) fn scramble(&mut self) -> Result<()> {
        let (size, goal) = (self.text()?, self.text()?);
        let count = match self.any::<u16>()? {
            count @ 0..2000 => u64::from(count),
            _ => self.any::<u64>()? | 1 << 20,
        };
        let is_walk = self.any::<u8>()? < 128;
        let seed = self.any()?;
        let (mut board, mut moves) = (std::ptr::dangling_mut(), std::ptr::dangling_mut());
        let mut failure = Failure::new();
        // SAFETY: the stream is created and freed here; all other pointers are to local variables.
        unsafe {
            let stream = stp_scrambler_new(seed);
            let (size, goal) = (size.as_ptr(), goal.as_ptr());
            let (place, error) = (&raw mut board, &raw mut failure.0);
            let code = match is_walk {
                true => {
                    let code =
                        stp_scrambler_walk(stream, size, goal, count, place, &raw mut moves, error);
                    take_text(code, moves);
                    code
                }
                false => stp_scrambler_draw(stream, size, goal, place, error),
            };
            failure.check(code);
            take_board(code, board);
            stp_scrambler_free(stream);
        }
        Ok(())
    }
}
