//! The candidates: a player with each combination of some values of its options.

use super::super::Failure;
use crate::repl::read::all_outside_parentheses;
use anyhow::{Context, bail};
use ggp_game::Chance;
use ggp_play::PlayerSpec;
use ggp_play::ask::SpecError;
use std::collections::BTreeSet;
use std::str::FromStr;

/// An option with the values to try, as `--option` gives it: `exploration=0.2,0.45`.
#[derive(Clone, Debug)]
pub(super) struct OptionValues {
    pub(super) key: String,
    values: Vec<String>,
}

impl FromStr for OptionValues {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (key, values) = text.split_once('=').unwrap_or((text, ""));
        let values: Vec<String> = all_outside_parentheses(values, ',').into_iter().map(str::to_string).collect();
        if key.is_empty() || values.iter().all(String::is_empty) {
            return Err("it has no values; write `KEY=VALUE,VALUE`, such as `exploration=0.2,0.45`".to_string());
        }
        if let Some(index) = values.iter().position(String::is_empty) {
            return Err(format!("value {} is empty", index + 1));
        }
        Ok(Self { key: key.to_string(), values })
    }
}

/// The player with each combination of the values, of which the last option varies fastest; if there are more than
/// `most`, a random choice of them.
///
/// # Errors
/// If the player has no such option, or the option does not take a value: with its place in the argument.
pub(super) fn combinations(
    base: &PlayerSpec,
    options: &[OptionValues],
    most: u64,
    seed: u64,
) -> Result<Vec<PlayerSpec>, Failure> {
    let mut all = 1_usize;
    for (number, OptionValues { key, values }) in options.iter().enumerate() {
        if options[..number].iter().any(|earlier| earlier.key == *key) {
            bail!("`--option {key}=…` stands twice; write all values in one");
        }
        for (place, value) in (1..).zip(values) {
            base.clone().with(key, value).map_err(|error| {
                let argument = format!("`--option {key}={}`", values.join(","));
                let is_of_value = !matches!(error, SpecError::UnknownOption { .. });
                let place = if is_of_value { format!("{argument}, value {place}") } else { argument };
                Failure::new(error).context(place)
            })?;
        }
        all = all.checked_mul(values.len()).context("there are too many combinations")?;
    }
    let mut chosen: BTreeSet<usize> = BTreeSet::new();
    match usize::try_from(most) {
        Ok(most) if most < all => {
            let mut chance = Chance::new(seed);
            while chosen.len() < most {
                chosen.insert(chance.below(all));
            }
        }
        _ => chosen.extend(0..all),
    }
    let player = |mut index: usize| {
        options.iter().rev().try_fold(base.clone(), |player, OptionValues { key, values }| {
            let value = &values[index % values.len()];
            index /= values.len();
            player.with(key, value)
        })
    };
    let mut players: Vec<PlayerSpec> = Vec::new();
    for player in chosen.into_iter().map(player) {
        let player = player?;
        // A value may be given twice.
        if !players.contains(&player) {
            players.push(player);
        }
    }
    Ok(players)
}
