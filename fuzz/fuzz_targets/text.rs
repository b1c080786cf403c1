#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ggp_fuzz::text::run(data));
