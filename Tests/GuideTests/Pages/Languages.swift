// Not compiled: block 1 is about the texts of the program, which no product contains.
