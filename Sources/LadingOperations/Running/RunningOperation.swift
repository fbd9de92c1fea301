/// The operation whose work a task does.
enum RunningOperation {
    @TaskLocal static var current: AnyOperation?
}
