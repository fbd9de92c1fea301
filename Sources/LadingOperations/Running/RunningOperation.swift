/// The operation whose work runs in the current task.
enum RunningOperation {
    @TaskLocal static var current: AnyOperation?
}
