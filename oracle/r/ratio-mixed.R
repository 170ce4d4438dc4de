# Mixed ratio models: glmer of the stacked trials (stopping, continuation), and a Laplace approximation written here for the adjacent-category
# model: modes by Newton's method, log determinant, maximised by optim, the Hessian by numDeriv.
suppressMessages({library(lme4); library(jsonlite); library(numDeriv)})
set.seed(20261116)
nr <- 8; ni <- 24
d <- expand.grid(item = factor(1:ni), rater = factor(1:nr), system = 0:1)
b0 <- rnorm(nr, 0, .6); i0 <- rnorm(ni, 0, .7)
lat <- .6 * d$system + b0[d$rater] + i0[d$item] + rlogis(nrow(d))
d$y <- as.integer(cut(lat, c(-Inf, -1.4, -.3, .8, Inf)))
stack <- do.call(rbind, lapply(1:3, function(j) { s <- d[d$y >= j, ]; s$step <- j; s$stop <- as.integer(s$y == j); s }))
stack$step <- factor(stack$step)
ctl <- glmerControl(optimizer = "bobyqa", optCtrl = list(maxfun = 1e5, rhoend = 1e-9), tolPwrss = 1e-12)
out <- list(tools = list(R = R.version.string, lme4 = as.character(packageVersion("lme4"))),
            columns = list(item = as.integer(d$item), rater = as.integer(d$rater), system = d$system, y = d$y))
fit <- function(response) {
  f <- as.formula(paste(response, "~ 0 + step + system + (1 | rater) + (1 | item)"))
  m <- glmer(f, stack, family = binomial("logit"), control = ctl)
  list(logLik = as.numeric(logLik(m)), beta = unname(fixef(m)), se = unname(sqrt(diag(as.matrix(vcov(m, use.hessian = TRUE))))),
       sd_rater = as.numeric(attr(VarCorr(m)$rater, "stddev")), sd_item = as.numeric(attr(VarCorr(m)$item, "stddev")))
}
out$stopping <- fit("stop")
stack$go <- 1 - stack$stop
out$continuation <- fit("go")

Zr <- model.matrix(~ 0 + rater, d); Zi <- model.matrix(~ 0 + item, d)
m <- 3
adj <- function(psi) {
  Z <- cbind(psi[1] * Zr, psi[2] * Zi); a <- psi[3:5]; be <- psi[6]; cum <- c(0, cumsum(a))
  u <- numeric(ncol(Z))
  ev <- function(u) {
    eta <- be * d$system + as.vector(Z %*% u)
    L <- outer(eta, 0:m) + matrix(cum, length(eta), m + 1, byrow = TRUE)
    P <- exp(L - apply(L, 1, max)); P <- P / rowSums(P)
    mu <- as.vector(P %*% (0:m)); v <- as.vector(P %*% (0:m)^2) - mu^2
    list(l = sum(log(P[cbind(seq_along(eta), d$y)])) - sum(u^2) / 2, s = d$y - 1 - mu, v = v)
  }
  for (it in 1:60) { e <- ev(u); g <- crossprod(Z, e$s) - u; H <- crossprod(Z, e$v * Z) + diag(ncol(Z)); st <- solve(H, g); u <- u + as.vector(st); if (max(abs(st)) < 1e-13) break }
  e <- ev(u); H <- crossprod(Z, e$v * Z) + diag(ncol(Z))
  e$l - as.numeric(determinant(H)$modulus) / 2
}
o <- optim(c(.4, .4, .5, .2, -.3, .3), function(p) -adj(p), method = "BFGS", control = list(reltol = 1e-15, maxit = 1000))
o <- optim(o$par, function(p) -adj(p), method = "Nelder-Mead", control = list(reltol = 1e-16, maxit = 5000))
o <- nlm(function(p) -adj(p), o$par, gradtol = 1e-10, steptol = 1e-12)
H <- hessian(function(p) -adj(p), o$estimate)
out$adjacent <- list(logLik = -o$minimum, beta = o$estimate[3:6], se = sqrt(diag(solve(H)))[3:6], sd_rater = abs(o$estimate[1]), sd_item = abs(o$estimate[2]),
                     at = c(.5, .6, .4, .1, -.2, .35), logLik_at = adj(c(.5, .6, .4, .1, -.2, .35)))
write(toJSON(out, digits = NA, auto_unbox = TRUE), "oracle/r/ratio-mixed.json")
print(str(out[3:5]))
