#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    _ = ggp_fuzz::compiled::run(data);
});
