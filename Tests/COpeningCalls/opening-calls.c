// Each library that uses the header defines its functions itself.
