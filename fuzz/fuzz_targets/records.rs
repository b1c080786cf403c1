#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ggp_fuzz::records::run(data));
