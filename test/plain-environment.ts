/** Before every test file: what the one who runs the tests has set for their own terminal reaches no program under test. */
delete process.env["FORCE_COLOR"];
delete process.env["NO_COLOR"];
