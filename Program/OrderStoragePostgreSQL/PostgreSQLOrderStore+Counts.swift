#if PostgreSQL
    import PostgreSQLClient

    /// The numbers of orders in each state.
    ///
    /// Those in final states grow forever: triggers of the database count them, whichever program changes the rows.
    extension PostgreSQLOrderStore {
        /// The statement of the number of orders in each state that has some. Those that are not final are few, and are counted in an index.
        static let stateCounts: PostgreSQLStatement = """
            SELECT state, count(*) AS count FROM orders WHERE state IN \(sql: BoardStatement.otherStates) GROUP BY state
            UNION ALL SELECT state, sum(count)::bigint FROM final_order_counts GROUP BY state HAVING sum(count) > 0
            """

        /// The table and triggers of the numbers. The triggers lock the orders before the last statement counts what is there.
        static let finalCountTables: [PostgreSQLStatement] = [
            // Each change adds a row, and pruning replaces rows by sums: transactions that update a common row would wait for each other.
            // With a key, which logical replication needs to delete rows.
            """
            CREATE TABLE final_order_counts (
                id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, state text COLLATE "C" NOT NULL, count bigint NOT NULL)
            """,
            """
            CREATE FUNCTION count_final_order() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                IF TG_OP <> 'INSERT' AND OLD.state IN \(sql: BoardStatement.finalStates) THEN
                    INSERT INTO final_order_counts (state, count) VALUES (OLD.state, -1);
                END IF;
                IF TG_OP <> 'DELETE' AND NEW.state IN \(sql: BoardStatement.finalStates) THEN
                    INSERT INTO final_order_counts (state, count) VALUES (NEW.state, 1);
                END IF;
                RETURN NULL;
            END $$
            """,
            trigger(after: "INSERT", if: "NEW.state IN \(sql: BoardStatement.finalStates)"),
            trigger(after: "DELETE", if: "OLD.state IN \(sql: BoardStatement.finalStates)"),
            trigger(
                after: "UPDATE",
                if: """
                    OLD.state <> NEW.state
                        AND (OLD.state IN \(sql: BoardStatement.finalStates) OR NEW.state IN \(sql: BoardStatement.finalStates))
                    """),
            """
            INSERT INTO final_order_counts (state, count)
            SELECT state, count(*) FROM orders WHERE state IN \(sql: BoardStatement.finalStates) GROUP BY state
            """,
        ]

        /// Returns a trigger with a condition, so that a command that leaves the numbers as they are does not call the function.
        private static func trigger(after event: String, if condition: PostgreSQLStatement) -> PostgreSQLStatement {
            """
            CREATE TRIGGER counting_\(sql: event) AFTER \(sql: event) ON orders
            FOR EACH ROW WHEN (\(condition)) EXECUTE FUNCTION count_final_order()
            """
        }
    }
#endif
