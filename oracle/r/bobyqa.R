# Evaluations and values of minqa::bobyqa on the problems of src/numeric/optim/problems.test.ts.
suppressMessages({library(minqa); library(jsonlite)})
rosenbrock <- function(x) { n <- length(x); sum(100 * (x[-1] - x[-n]^2)^2 + (1 - x[-n])^2) }
powell <- function(x) (x[1] + 10*x[2])^2 + 5*(x[3] - x[4])^2 + (x[2] - 2*x[3])^4 + 10*(x[1] - x[4])^4
points <- function(x) {
  m <- length(x) / 2; a <- x[2*(1:m) - 1]; b <- x[2*(1:m)]; f <- 0
  for (i in 2:m) for (j in 1:(i - 1)) f <- f + 1 / sqrt(max((a[i] - a[j])^2 + (b[i] - b[j])^2, 1e-6))
  f
}
circle <- function(m) { t <- 2*pi*(1:m)/m; as.vector(rbind(cos(t), sin(t))) }
wood <- function(x) 100*(x[1]^2 - x[2])^2 + (x[1] - 1)^2 + (x[3] - 1)^2 + 90*(x[3]^2 - x[4])^2 +
  10.1*((x[2] - 1)^2 + (x[4] - 1)^2) + 19.8*(x[2] - 1)*(x[4] - 1)
beale <- function(x) (1.5 - x[1]*(1 - x[2]))^2 + (2.25 - x[1]*(1 - x[2]^2))^2 + (2.625 - x[1]*(1 - x[2]^3))^2
chained <- function(x) {
  n <- length(x)
  sum((1:n) * (x - (0:(n - 1))/10)^2) + 0.5 * sum(x[-1] * x[-n])
}
run <- function(name, f, x0, lower = -Inf, upper = Inf, rhobeg = 0.5, rhoend = 1e-8) {
  n <- length(x0)
  r <- bobyqa(x0, f, rep_len(lower, n), rep_len(upper, n),
              control = list(rhobeg = rhobeg, rhoend = rhoend, npt = 2*n + 1, maxfun = 20000))
  list(name = name, value = r$fval, evaluations = r$feval, x = r$par)
}
start <- function(n) rep_len(c(-1.2, 1), n)
problems <- list(
  run("rosenbrock2", rosenbrock, start(2)),
  run("rosenbrock2 bounded", rosenbrock, start(2), c(-2, -2), c(0.5, 2)),
  run("rosenbrock5", rosenbrock, start(5)),
  run("rosenbrock10", rosenbrock, start(10)),
  run("powell singular", powell, c(3, -1, 0, 1)),
  run("wood", wood, c(-3, -1, -3, -1)),
  run("beale", beale, c(1, 1)),
  run("points5", points, circle(5), -1, 1, 0.1, 1e-6),
  run("points10", points, circle(10), -1, 1, 0.1, 1e-6),
  run("chained8", chained, rep(1, 8), 0),
  run("chained16", chained, rep(1, 16), 0))
out <- list(tool = R.version.string, minqa = as.character(packageVersion("minqa")), problems = problems)
writeLines(toJSON(out, digits = I(17), auto_unbox = TRUE, pretty = TRUE), "oracle/r/bobyqa.json")
