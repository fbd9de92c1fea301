public enum ScenePhase: Sendable {
    case background, inactive, active
}
